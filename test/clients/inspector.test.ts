/** The command line of the MCP Inspector. */
import { expect, test } from 'vitest'
import { greetingSite, programArgs, run } from './client-programs.ts'

test.each(['HTTP', 'stdio'])('it lists and calls over %s', async (way) => {
  await using site = await greetingSite()
  const target = ['--', ...(way === 'HTTP' ? [site.url] : [process.execPath, ...site.stdio])]
  const inspect = async (...what: readonly string[]) =>
    JSON.parse(await run([...programArgs('inspector'), '--cli', ...what, ...target], site))
  const { tools } = await inspect('--method', 'tools/list')
  expect(tools).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'hall_greet' })]))
  const call = ['--method', 'tools/call', '--tool-name', 'hall_greet', '--tool-arg', 'name=Ana']
  expect(await inspect(...call)).toMatchObject({ content: [{ type: 'text', text: 'hello Ana' }] })
})
