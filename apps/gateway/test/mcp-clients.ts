import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { type TestGateway } from './test-gateway.js';

/** Clients of the official SDK, of one gateway that listens. */
export class McpClients {
  private readonly open: Client[] = [];

  private constructor(private readonly url: string) {}

  static async of({ app }: TestGateway): Promise<McpClients> {
    await app.listen(0, '127.0.0.1');
    return new McpClients(await app.getUrl());
  }

  async connect(headers: Record<string, string> = {}, path = '/mcp'): Promise<Client> {
    const client = new Client({ name: 'spec', version: '1' });
    this.open.push(client);
    const requestInit = { headers };
    await client.connect(new StreamableHTTPClientTransport(new URL(path, this.url), { requestInit }));
    return client;
  }

  async close(): Promise<void> {
    for (const client of this.open.splice(0)) await client.close();
  }
}

/** Calls a tool. @returns its result with the JSON of its text as `payload` */
export async function call(client: Client, name: string, given: Record<string, unknown>) {
  const result = CallToolResultSchema.parse(await client.callTool({ name, arguments: given }));
  const { content, ...rest } = result;
  const [first] = content;
  return { ...rest, payload: JSON.parse(first?.type === 'text' ? first.text : 'null') as unknown };
}
