/** A plugin whose one tool answers with a list, made ahead, that is nearly as large as an answer may be. */
import { type DefinedPlugin, definePlugin, tool } from '@callboard/sdk'

const lists: Readonly<Record<string, readonly unknown[]>> = {
  rows: Array.from({ length: 250_000 }, (_, row) => ({ row, text: `row ${row}` })),
  lists: Array.from({ length: 300_000 }, (_, row) => [row]),
}

const plugin: DefinedPlugin = definePlugin({
  id: 'rows',
  tools: Object.entries(lists).map(([name, list]) =>
    tool({
      name,
      args: [{ name: 'times', type: 'integer' }],
      run: ({ times = list.length }) => list.slice(0, times),
    }),
  ),
})

export default plugin
