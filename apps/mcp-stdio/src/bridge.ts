import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  ErrorCode,
  InitializeResultSchema,
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { type Settings } from './settings.js';
import { endedBy } from './ended-stream.js';
import { refusalOf } from './refusals.js';

/** What the bridge says of a Loci that is not there when a client connects: the client may stay until it is. */
const WHILE_AWAY = {
  capabilities: { tools: {}, resources: {}, prompts: {} },
  serverInfo: { name: 'Loci', version: '0' },
};

/**
 * Serves the MCP server of a running Loci on standard input and output: each message is passed on as it is, in both
 * directions, so that whatever Loci offers is offered here. What Loci refuses is an error that says what to do, and so is an
 * answer that breaks off.
 */
export async function startBridge(settings: Settings, report: (message: string) => void): Promise<void> {
  const stdio = new StdioServerTransport();
  const loci = new StreamableHTTPClientTransport(settings.endpoint, {
    requestInit: { headers: settings.headers },
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      const id = idIn(init?.body);
      return id === undefined
        ? response
        : endedBy(response, (reason) => refused(id, refusalOf(reason, settings).text, BROKEN_OFF));
    },
  });
  let initializing: RequestId | undefined;
  /** Every stream ends with a refusal, which counts where there was no answer before. */
  const unanswered = new Set<RequestId>();
  loci.onmessage = (message) => {
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      if (message.id !== undefined && !unanswered.delete(message.id)) return;
      if ('error' in message && message.error.data === BROKEN_OFF) report(message.error.message);
    }
    if (isJSONRPCResultResponse(message) && message.id === initializing) {
      const { data } = InitializeResultSchema.safeParse(message.result);
      if (data) loci.setProtocolVersion(data.protocolVersion);
    }
    void stdio.send(message);
  };
  stdio.onmessage = (message) => {
    if (isJSONRPCRequest(message)) unanswered.add(message.id);
    if (isInitializeRequest(message) && isJSONRPCRequest(message)) initializing = message.id;
    loci.send(message).catch((error: unknown) => {
      const { text, isAway } = refusalOf(error, settings);
      report(text);
      const answer = answerOf(message, text, isAway);
      if (answer && unanswered.delete(answer.id)) void stdio.send(answer);
    });
  };
  stdio.onclose = () => void loci.close();
  process.stdin.once('end', () => void stdio.close());
  await loci.start();
  await stdio.start();
}

/** The `data` of a refusal that was made here, as an answer broke off. */
const BROKEN_OFF = 'broken_off';

const refused = (id: RequestId, message: string, data?: string) => ({
  jsonrpc: '2.0' as const,
  id,
  error: { code: ErrorCode.InternalError, message, ...(data !== undefined && { data }) },
});

/** @returns undefined for what is not answered */
function answerOf(message: JSONRPCMessage, text: string, isAway: boolean) {
  if (!isJSONRPCRequest(message)) return undefined;
  const { id } = message;
  if (isAway && isInitializeRequest(message)) {
    const { protocolVersion } = message.params;
    return { jsonrpc: '2.0' as const, id, result: { ...WHILE_AWAY, protocolVersion, instructions: text } };
  }
  return refused(id, text);
}

/** The id of the request that is posted; undefined for what is not answered. */
function idIn(body: unknown): RequestId | undefined {
  const message: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
  return isJSONRPCRequest(message) ? message.id : undefined;
}
