import { defineConfig, type ViteUserConfig } from 'vitest/config'

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    // Only what hangs may run into these: a busy machine starts processes slowly.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // One for each core: most files wait for processes and timers, and vitest would leave a core to itself.
    maxWorkers: '100%',
  },
})

export default config
