import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { answered, createLociClient, type LociClient, LociError } from '@loci/client';
import { Loci } from '@loci/testing';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client } from './harness/client.js';

let loci: Loci;
let client: LociClient;
let projects = 0;

beforeAll(async () => {
  loci = await Loci.start();
  client = createLociClient({ url: loci.url });
});

afterAll(() => loci.destroy());

const freshProject = () => ({ org_id: 'acme', project_id: `clients-${(projects += 1)}` });

describe('the TypeScript client', () => {
  test('adds, finds, lists, counts and deletes', async () => {
    const project = freshProject();
    const messages = [{ content: 'Alice prefers window seats.', producer: 'alice', metadata: { room: 'a' } }];
    const { results } = await answered(client.POST('/api/v2/memories', { body: { ...project, messages } }));
    const uid = results[0]?.uid ?? '';
    const found = await answered(
      client.POST('/api/v2/memories/search', { body: { ...project, query: 'seats', types: ['episodic'] } }),
    );
    expect(found.content.episodic_memory?.short_term_memory.episodes[0]).toMatchObject({
      uid,
      producer_id: 'alice',
    });
    const listed = await answered(
      client.POST('/api/v2/memories/list', { body: { ...project, filter: "metadata.room='a'" } }),
    );
    expect(listed.content.episodic_memory?.map((episode) => episode.uid)).toEqual([uid]);
    await answered(
      client.POST('/api/v2/memories/episodic/delete', { body: { ...project, episodic_ids: [uid] } }),
    );
    expect(await answered(client.POST('/api/v2/projects/episode_count/get', { body: project }))).toEqual({
      count: 0,
    });
  });

  test('a refusal is an error with its code, and with every problem of an invalid request', async () => {
    const missing = answered(client.POST('/api/v2/projects/get', { body: freshProject() }));
    await expect(missing).rejects.toMatchObject({ status: 404, code: 'project_not_found' });
    const invalid = answered(client.POST('/api/v2/projects/get', { body: { org_id: '', project_id: '!' } }));
    const error: unknown = await invalid.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LociError);
    expect(error).toMatchObject({
      status: 422,
      code: 'invalid_request',
      problems: [{ loc: ['body', 'org_id'] }, { loc: ['body', 'project_id'] }],
    });
  });
});

describe('the MCP bridge for desktop clients', () => {
  async function desktop(env: Record<string, string>): Promise<McpClient> {
    const bridge = new McpClient({ name: 'desktop', version: '1' });
    const command = { command: process.execPath, args: ['apps/mcp-stdio/bin/loci-mcp.mjs'] };
    await bridge.connect(new StdioClientTransport({ ...command, env, stderr: 'ignore' }));
    return bridge;
  }

  const call = async (bridge: McpClient, name: string, given: Record<string, unknown>) =>
    CallToolResultSchema.parse(await bridge.callTool({ name, arguments: given }));

  test('what one tool adds, another finds, and it is where the environment says', async () => {
    const { org_id, project_id } = freshProject();
    const bridge = await desktop({ LOCI_URL: loci.url, MM_ORG_ID: org_id, MM_PROJ_ID: project_id });
    try {
      expect((await bridge.listTools()).tools.map(({ name }) => name)).toEqual([
        'add_memory',
        'search_memory',
        'delete_memory',
      ]);
      await call(bridge, 'add_memory', { content: 'The spare key is under the fern.', org_id: 'other' });
      const found = await call(bridge, 'search_memory', { query: 'Where is the spare key?' });
      expect(JSON.stringify(found.structuredContent)).toContain('under the fern');
      expect(await new Client(loci.url, { org_id, project_id }).count()).toBe(1);
      expect(await call(bridge, 'delete_memory', { episodic_memory_uids: ['nope'] })).toMatchObject({
        isError: true,
        structuredContent: { status: 404, code: 'memory_not_found' },
      });
    } finally {
      await bridge.close();
    }
  });

  test('a Loci that is not there is an error of the call that says so', async () => {
    const bridge = await desktop({ LOCI_URL: 'http://127.0.0.1:9' });
    try {
      await expect(bridge.listTools()).rejects.toThrow('Loci at http://127.0.0.1:9 did not answer');
    } finally {
      await bridge.close();
    }
  });
});
