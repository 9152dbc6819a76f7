import { KEY } from './snippets.js';

interface Named {
  readonly org_id: string;
  readonly project_id: string;
}

/** What an MCP client is configured with. */
export function mcpSnippet(
  { org_id, project_id }: Named,
  { origin = window.location.origin, isKeyed = true } = {},
): ReadonlyMap<string, string> {
  const headers = {
    ...(isKeyed && { authorization: `Bearer ${KEY}` }),
    'org-id': org_id,
    'proj-id': project_id,
  };
  const server = { type: 'http', url: `${origin}/mcp`, headers };
  return new Map([['MCP', JSON.stringify({ mcpServers: { loci: server } }, undefined, 2)]]);
}
