import { type Problem } from '@loci/contracts';
import { type Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  CancelledNotificationSchema,
  ErrorCode,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCRequest,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  PingRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

const SCHEMAS = new Map(
  [
    InitializeRequestSchema,
    PingRequestSchema,
    ListToolsRequestSchema,
    CallToolRequestSchema,
    ListResourcesRequestSchema,
    ListResourceTemplatesRequestSchema,
    ReadResourceRequestSchema,
    ListPromptsRequestSchema,
    GetPromptRequestSchema,
  ].map((schema) => [schema.shape.method.value as string, schema] as const),
);

const CANCELLED = CancelledNotificationSchema.shape.method.value;

const MAX_PROBLEMS = 10;

/**
 * Refuses requests whose params are not those of their method with -32602 and what is wrong. The SDK would answer -32603
 * and the report of its validator. Of a server that is connected to the transport. A batch that cancels a call of its own is
 * answered all the same: the SDK would drop that call, and wait for its answer for ever.
 */
export function checkParams(transport: Transport): void {
  const deliver = transport.onmessage;
  transport.onmessage = (message, extra) => {
    if (isJSONRPCNotification(message) && message.method === CANCELLED) return;
    const problems = isJSONRPCRequest(message) ? problemsOf(message) : [];
    if (!isJSONRPCRequest(message) || problems.length === 0) deliver?.(message, extra);
    else void transport.send(refusal(message, problems), { relatedRequestId: message.id });
  };
}

function problemsOf(request: JSONRPCRequest): Problem[] {
  const read = SCHEMAS.get(request.method)?.safeParse(request);
  if (!read || read.success) return [];
  return read.error.issues.slice(0, MAX_PROBLEMS).map((issue) => {
    const loc = issue.path.filter((part) => typeof part !== 'symbol');
    return isAbsent(request, loc)
      ? { loc, msg: 'Field required', type: 'missing' }
      : { loc, msg: expectation(issue), type: 'invalid_value' };
  });
}

const expectation = (issue: { readonly code: string; readonly expected?: unknown }): string =>
  typeof issue.expected === 'string' ? `Input should be a valid ${issue.expected}` : 'Input is not valid';

function isAbsent(request: object, path: readonly (string | number)[]): boolean {
  let value: unknown = request;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return false;
    value = (value as Record<string | number, unknown>)[part];
  }
  return value === undefined;
}

const refusal = ({ id, method }: JSONRPCRequest, problems: readonly Problem[]) => ({
  jsonrpc: '2.0' as const,
  id,
  error: {
    code: ErrorCode.InvalidParams,
    message: `The params of ${method} are not valid: ${problems
      .map(({ loc, msg }) => `${loc.join('.')}: ${msg}`)
      .join('; ')}`,
    data: { status: 422, code: 'invalid_request', detail: problems },
  },
});
