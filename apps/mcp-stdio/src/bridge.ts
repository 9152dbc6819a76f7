import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  CallToolResultSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { type Settings } from './settings.js';

const ABOUT = { name: 'Loci', version: '0.1.0' };

/** Serves the tools of a running Loci on standard input and output: what a client asks is asked there. */
export async function startBridge(settings: Settings): Promise<McpServer> {
  const loci = new Loci(settings);
  const mcp = new McpServer(ABOUT, { capabilities: { tools: {} } });
  mcp.server.setRequestHandler(ListToolsRequestSchema, async () => (await loci.client()).listTools());
  mcp.server.setRequestHandler(CallToolRequestSchema, ({ params }) => loci.call(params));
  mcp.server.onclose = () => void loci.close();
  await mcp.connect(new StdioServerTransport());
  return mcp;
}

/** The connection to Loci: made when it is first needed, and made again after it failed. */
class Loci {
  private connection: Promise<Client> | undefined;

  constructor(private readonly settings: Settings) {}

  client(): Promise<Client> {
    this.connection ??= this.connect().catch((error: unknown) => {
      this.connection = undefined;
      throw this.unreachable(error);
    });
    return this.connection;
  }

  async call(params: {
    name: string;
    arguments?: Record<string, unknown> | undefined;
  }): Promise<CallToolResult> {
    const client = await this.client();
    const { name, arguments: given = {} } = params;
    try {
      return CallToolResultSchema.parse(await client.callTool({ name, arguments: given }));
    } catch (error) {
      throw this.unreachable(error);
    }
  }

  async close(): Promise<void> {
    await (await this.connection)?.close();
  }

  private async connect(): Promise<Client> {
    const { endpoint, headers } = this.settings;
    const client = new Client(ABOUT);
    const transport = new StreamableHTTPClientTransport(endpoint, { requestInit: { headers } });
    await client.connect(transport);
    return client;
  }

  private unreachable(cause: unknown): Error {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new Error(`Loci at ${this.settings.endpoint.origin} did not answer: ${reason}`, { cause });
  }
}
