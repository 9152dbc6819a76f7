import { type IncomingHttpHeaders } from 'node:http';
import { type AccessScope, type Tenant } from '@loci/contracts';
import { requireScope, requireTenant } from '../access/authorization.js';
import { type Caller } from '../access/caller.js';
import { auditRuleOf } from '../audit/audited-operations.js';
import { type AuditedOperation, type OperationSubject } from '../audit/audited-operation.js';
import { type ObjectSchema } from '@loci/platform/schema';
import { readRequest, type RequestClass } from '../wire/schema/request.js';
import { type WireLimits } from '../wire/schema/wire-limits.js';

export interface ToolDescription {
  readonly name: string;
  /** What people see of it. */
  readonly title: string;
  /** What models read of it. */
  readonly description: string;
  /** The schema of its structured content. */
  readonly answer: ObjectSchema;
  /** What a caller needs to be allowed. */
  readonly access: AccessScope;
  /** As of a route: see `FastifyContextConfig`. */
  readonly organization?: 'read' | 'change';
  readonly replaces?: true;
  /** Whether to call it twice does the same as to call it once. Tools that only read always are. */
  readonly isIdempotent?: true;
}

/** On whose behalf a tool is called, and what the client says of itself. */
export interface ToolCaller {
  readonly caller: Caller;
  readonly headers: IncomingHttpHeaders;
}

/** A tool as MCP clients see it, and what it does. */
export interface McpTool extends ToolDescription {
  readonly arguments: RequestClass;
  /** @param given as the client sent it @throws AppError `forbidden`, `invalid_request`, and what the tool throws */
  readonly run: (given: unknown, call: ToolCall) => Promise<ToolResult>;
}

/** A call that reads or does something. */
export interface NotedCall extends ToolCaller {
  /** Is told what the call is about, for the audit. */
  readonly note: (subject: OperationSubject) => void;
}

export interface ToolCall extends NotedCall {
  /** Repeated calls have the same one; undefined when the client sent none. */
  readonly idempotencyKey: string | undefined;
  /** Undefined where no authentication is required. */
  readonly audited: AuditedOperation | undefined;
}

/** A call that was read and checked, but for whether its caller may reach the tenant. */
export interface ReadyCall {
  readonly tenant: Tenant;
  /** The ids that it names. */
  readonly ids?: readonly string[];
  readonly perform: () => Promise<ToolResult>;
}

export interface ToolResult {
  /** What clients read, as text and as structured content. */
  readonly payload: object;
  /** As structured content, if that is not the payload itself. */
  readonly structured?: Readonly<Record<string, unknown>>;
  /** The ids of what it created. */
  readonly created?: readonly string[];
}

/**
 * A tool that is given arguments of one shape, checked as the body of a request is. Nothing happens before its caller may
 * do it to the tenant, and before the audit knows.
 */
export const tool = <Arguments extends object>(
  limits: WireLimits,
  description: ToolDescription,
  shape: RequestClass<Arguments>,
  prepare: (given: Arguments, call: ToolCall) => ReadyCall,
): McpTool => {
  auditRuleOf(`tool ${description.name}`);
  return {
    ...description,
    arguments: shape,
    run: async (given, call) => {
      requireScope(call.caller, description.access);
      const {
        tenant,
        ids = [],
        perform,
      } = prepare(readRequest(shape, given, { from: 'arguments', limits }), call);
      call.note({ tenant, ids });
      requireTenant(call.caller, tenant);
      await call.audited?.begin({ tenant, ids });
      const result = await perform();
      call.note({ tenant, ids: [...ids, ...(result.created ?? [])] });
      return result;
    },
  };
};
