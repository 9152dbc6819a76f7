import { type IncomingHttpHeaders } from 'node:http';
import { readRequest, type WireShape } from '../wire/reading/shapes.js';
import { type WireLimits } from '../wire/reading/wire-limits.js';

interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly isReadOnly: boolean;
}

/** A tool as MCP clients see it, and what it does. */
export interface McpTool extends ToolDescription {
  readonly arguments: WireShape<object>;
  /** @param given as the client sent it @throws AppError `invalid_request`, and what the tool throws */
  readonly run: (given: unknown, headers: IncomingHttpHeaders) => Promise<ToolResult>;
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
  run: (given: Arguments, headers: IncomingHttpHeaders) => Promise<ToolResult>,
): McpTool => ({
  ...description,
  arguments: shape,
  run: async (given, headers) => run(readRequest(shape, given, { from: 'arguments', limits }), headers),
});
