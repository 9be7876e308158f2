import { defineConfig, type ViteUserConfig } from 'vitest/config'

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // One for each core: most files wait for processes and timers, and vitest would leave a core to itself.
    maxWorkers: '100%',
  },
})

export default config
