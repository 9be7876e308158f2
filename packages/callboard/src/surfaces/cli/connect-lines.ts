/** How the usual clients are told of this endpoint. */

/** The line for each client, by its name. */
export function connectLines(url: string): readonly (readonly [client: string, line: string])[] {
  return [
    ['Claude Code', `claude mcp add --transport http callboard ${url}`],
    ['Cursor', `~/.cursor/mcp.json: ${JSON.stringify({ mcpServers: { callboard: { url } } })}`],
    ['VS Code', `code --add-mcp '${JSON.stringify({ name: 'callboard', type: 'http', url })}'`],
    ['Codex', `codex mcp add callboard --url ${url}`],
  ]
}
