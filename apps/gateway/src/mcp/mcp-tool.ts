import { type IncomingHttpHeaders } from 'node:http';
import { type AccessScope } from '@loci/contracts';
import { type FastifyRequest } from 'fastify';
import { requireScope } from '../access/authorization.js';
import { type Caller } from '../access/caller.js';
import { readRequest, type WireShape } from '../wire/reading/shapes.js';
import { type WireLimits } from '../wire/reading/wire-limits.js';

interface ToolDescription {
  readonly name: string;
  readonly description: string;
  /** What a caller needs to be allowed. */
  readonly access: AccessScope;
}

/** On whose behalf a tool is called, and what the client says of itself. */
export interface ToolCall {
  readonly caller: Caller;
  readonly headers: IncomingHttpHeaders;
  /** Is told what the call does, and to what, for the audit. */
  readonly note: (about: NotedCall) => void;
}

export type NotedCall = Partial<Pick<FastifyRequest, 'act' | 'tenant' | 'furtherIds'>>;

/** A tool as MCP clients see it, and what it does. */
export interface McpTool extends ToolDescription {
  readonly arguments: WireShape<object>;
  /** @param given as the client sent it @throws AppError `forbidden`, `invalid_request`, and what the tool throws */
  readonly run: (given: unknown, call: ToolCall) => Promise<ToolResult>;
}

export interface ToolResult {
  /** What clients read, as text and as structured content. */
  readonly payload: object;
  /** As structured content, if that is not the payload itself. */
  readonly structured?: Readonly<Record<string, unknown>>;
}

/** A tool that is given arguments of one shape, checked as the body of a request is. */
export const tool = <Arguments extends object>(
  limits: WireLimits,
  description: ToolDescription,
  shape: WireShape<Arguments>,
  run: (given: Arguments, call: ToolCall) => Promise<ToolResult>,
): McpTool => ({
  ...description,
  arguments: shape,
  run: async (given, call) => {
    const { name, access } = description;
    call.note({ act: { operation: `tool ${name}`, access } });
    requireScope(call.caller, access);
    return run(readRequest(shape, given, { from: 'arguments', limits }), call);
  },
});
