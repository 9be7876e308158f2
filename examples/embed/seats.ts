/** The seats that are sold, and the tools that sell them. */
import { type DefinedPlugin, definePlugin, error, tool } from '@callboard/sdk'
import * as z from 'zod'

/** A plugin over the application's own data: who has which seat; undefined is free. */
export function seatsPlugin(seats: Map<string, string | undefined>): DefinedPlugin {
  const free = (): string[] => [...seats].flatMap(([seat, owner]) => (owner === undefined ? [seat] : []))
  return definePlugin({
    id: 'seats',
    tools: [
      tool({
        name: 'seats.free',
        description: 'List the seats that are free tonight',
        permission: 'seats.view',
        readOnly: true,
        run: () => ({ seats: free() }),
      }),
      tool({
        name: 'seats.sell',
        description: 'Sell a seat for tonight',
        permission: 'seats.sell',
        args: z.object({
          seat: z.string().describe('Such as A1'),
          to: z.string().min(1).describe('Name of the guest'),
        }),
        run: ({ seat, to }, { user }) => {
          if (!free().includes(seat)) return error(`seat ${seat} is not free; free are ${free().join(', ')}`)
          seats.set(seat, to)
          return `${user} sold ${seat} to ${to}`
        },
      }),
    ],
  })
}
