/** The port that decides whether the acting user may do a thing. */
import type { ToolDefinition } from '@callboard/sdk'

/** Who may do what. An application may bring its own; without one the roles of the config decide. */
export interface Gate {
  /** May this user use what needs this permission? Asked once for each distinct permission of a request. */
  allows(user: string, permission: string): boolean | Promise<boolean>
  /** A second look once the arguments are known to be valid: true, or in words why not. */
  admits?(
    user: string,
    definition: ToolDefinition,
    args: Readonly<Record<string, unknown>>,
  ): true | string | Promise<true | string>
}
