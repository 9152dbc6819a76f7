import { beforeAll, expect, test } from '@jest/globals';
import { type Loci } from '@loci/testing';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { readFileSync } from 'node:fs';
import { blocksIn } from '../harness/snippets.js';
import { product } from './product.js';

const GUIDE = 'docs/guide/mcp.md';

/** What an MCP client keeps of a server. */
interface Server {
  readonly url?: string;
  readonly headers?: Record<string, string>;
  readonly command?: string;
  readonly args?: string[];
  readonly env?: Record<string, string>;
}

let loci: Loci;

beforeAll(async () => {
  loci = await product();
});

/** The part of the guide that a pattern finds, with where Loci and the repository are in this test. */
function shown(pattern: RegExp, text = readFileSync(GUIDE, 'utf8')): string {
  const [, found] = pattern.exec(text) ?? [];
  if (found === undefined) throw new Error(`${GUIDE} does not show ${pattern.source}.`);
  return found
    .replaceAll('http://127.0.0.1:8080', loci.url)
    .replaceAll('<folder of this repository>', process.cwd());
}

const serverIn = (json: string): Server =>
  (JSON.parse(json) as { mcpServers: { loci: Server } }).mcpServers.loci;

/** What each client reads from its text. */
const SERVERS: Readonly<Record<string, () => Server>> = {
  'Claude Code': () => {
    const [url = '', name = '', value = ''] = shown(/`claude mcp add --transport http loci ([^`]+)`/)
      .replaceAll('"', '')
      .split(/ --header |: /);
    return { url, headers: { [name]: value } };
  },
  'VS Code': () => JSON.parse(shown(/`code --add-mcp '([^`]+)'`/)) as Server,
  Cursor: () => serverIn(shown(/mcp\.json`: `([^`]+)`/)),
  'Claude Desktop': () => serverIn(shown(/^([\s\S]+)$/, blocksIn(GUIDE, 'json')[0])),
};

const transportOf = ({ url, headers = {}, command = '', args = [], env = {} }: Server) =>
  url === undefined
    ? new StdioClientTransport({
        command,
        args,
        env: { ...getDefaultEnvironment(), ...env },
        stderr: 'ignore',
      })
    : new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });

test.each(Object.entries(SERVERS))('the text for %s connects, and acts for its user', async (_, server) => {
  const client = new McpClient({ name: 'pasted', version: '1' });
  await client.connect(transportOf(server()));
  try {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('loci://users/alice/profile');
  } finally {
    await client.close();
  }
});
