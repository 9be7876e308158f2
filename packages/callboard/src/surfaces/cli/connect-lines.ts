/** How the usual clients are told of this endpoint. */

/** The line for each client, by its name; with `TOKEN` in the place of a token where one is needed. */
export function connectLines(
  url: string,
  auth: 'none' | 'tokens',
): readonly (readonly [client: string, line: string])[] {
  const isOpen = auth === 'none'
  const server = { url, ...(!isOpen && { headers: { Authorization: 'Bearer TOKEN' } }) }
  const header = isOpen ? '' : ' --header "Authorization: Bearer TOKEN"'
  return [
    ['Claude Code', `claude mcp add --transport http callboard ${url}${header}`],
    ['Cursor', `~/.cursor/mcp.json: ${JSON.stringify({ mcpServers: { callboard: server } })}`],
    ['VS Code', `code --add-mcp '${JSON.stringify({ name: 'callboard', type: 'http', ...server })}'`],
    ['Codex', `codex mcp add callboard --url ${url}${isOpen ? '' : ' --bearer-token-env-var CALLBOARD_TOKEN'}`],
  ]
}
