/** Answers with the message that it is given, or greets the acting user. */
import type { ToolContext } from '@callboard/sdk'

export default function echo(args: { readonly message?: string }, { user }: ToolContext): string {
  return args.message ?? `hello, ${user}`
}
