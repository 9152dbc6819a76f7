import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  ErrorCode,
  InitializeResultSchema,
  isInitializeRequest,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { type Settings } from './settings.js';
import { refusalOf } from './refusals.js';

/** What the bridge says of a Loci that is not there when a client connects: the client may stay until it is. */
const WHILE_AWAY = {
  capabilities: { tools: {}, resources: {}, prompts: {} },
  serverInfo: { name: 'Loci', version: '0' },
};

/**
 * Serves the MCP server of a running Loci on standard input and output: each message is passed on as it is, in both
 * directions, so that whatever Loci offers is offered here. What Loci refuses is an error that says what to do.
 */
export async function startBridge(settings: Settings, report: (message: string) => void): Promise<void> {
  const stdio = new StdioServerTransport();
  const loci = new StreamableHTTPClientTransport(settings.endpoint, {
    requestInit: { headers: settings.headers },
  });
  let initializing: RequestId | undefined;
  loci.onmessage = (message) => {
    if (isJSONRPCResultResponse(message) && message.id === initializing) {
      const { data } = InitializeResultSchema.safeParse(message.result);
      if (data) loci.setProtocolVersion(data.protocolVersion);
    }
    void stdio.send(message);
  };
  stdio.onmessage = (message) => {
    if (isInitializeRequest(message) && isJSONRPCRequest(message)) initializing = message.id;
    loci.send(message).catch((error: unknown) => {
      const { text, isAway } = refusalOf(error, settings);
      report(text);
      const answer = answerOf(message, text, isAway);
      if (answer) void stdio.send(answer);
    });
  };
  stdio.onclose = () => void loci.close();
  process.stdin.once('end', () => void stdio.close());
  await loci.start();
  await stdio.start();
}

/** @returns undefined for what is not answered */
function answerOf(message: JSONRPCMessage, text: string, isAway: boolean): JSONRPCMessage | undefined {
  if (!isJSONRPCRequest(message)) return undefined;
  const answer = { jsonrpc: '2.0', id: message.id } as const;
  if (isAway && isInitializeRequest(message)) {
    const { protocolVersion } = message.params;
    return { ...answer, result: { ...WHILE_AWAY, protocolVersion, instructions: text } };
  }
  return { ...answer, error: { code: ErrorCode.InternalError, message: text } };
}
