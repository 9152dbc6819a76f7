import { VERSION } from '@loci/platform';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { SchemaBook } from '../docs/schema-book.js';
import { errorAnswer } from '../wire/errors/error-answer.js';
import { type WireLimits } from '../wire/schema/wire-limits.js';
import { type AuditedOperation, type OperationSubject } from '../audit/audited-operation.js';
import { type McpTool, type ToolCaller, type ToolResult } from './mcp-tool.js';

const INSTRUCTIONS =
  'Long-term memory. Search it before you answer what may depend on earlier conversations; add what will matter later.';

export interface McpRequestScope {
  readonly tools: readonly McpTool[];
  readonly limits: WireLimits;
  readonly caller: ToolCaller;
  /** Makes the audit of one call of a tool; undefined where no authentication is required. */
  readonly audit: (operation: string) => AuditedOperation | undefined;
  /** Does the work of a call when it is its turn: calls of one request come one after the other. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Is told of failures that are our fault. */
  readonly report: (error: unknown) => void;
}

/** An MCP server for one request: whatever it knows of its client came with it. */
export function mcpServer(scope: McpRequestScope): McpServer {
  const mcp = new McpServer(
    { name: 'Loci', version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  mcp.server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: scope.tools.map((tool) => describe(tool, scope.limits)),
  }));
  mcp.server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    run(params.name, params.arguments ?? {}, scope),
  );
  return mcp;
}

function describe({ name, description, access, arguments: shape }: McpTool, limits: WireLimits): Tool {
  const { properties, required } = new SchemaBook(limits).describeFields(shape.schema);
  return {
    name,
    description,
    inputSchema: { type: 'object', properties, required: [...required] },
    annotations: { readOnlyHint: access === 'read', openWorldHint: false },
  };
}

/** Failures are results that say so, with the status and what HTTP would have answered. */
async function run(name: string, given: object, scope: McpRequestScope): Promise<CallToolResult> {
  const tool = scope.tools.find((one) => one.name === name);
  if (!tool) return failure({ status: 404, message: `There is no tool ${name}.`, code: 'tool_not_found' });
  const audited = scope.audit(`tool ${name}`);
  let subject: OperationSubject = {};
  const note = (known: OperationSubject): void => void (subject = known);
  const close = async (status: number, code?: string): Promise<void> => {
    await audited?.end(subject, status, code);
    audited?.close(subject, status, code);
  };
  try {
    const result = await scope.inTurn(() => tool.run(given, { ...scope.caller, audited, note }));
    await close(200);
    return success(result);
  } catch (error) {
    const { status, body, code } = errorAnswer(error);
    if (status === 500) scope.report(error);
    await close(status, code);
    return failure({ status, message: messageOf(body), code, ...body });
  }
}

const success = ({ payload, structured }: ToolResult): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(payload) }],
  structuredContent: structured ?? { ...payload },
});

const failure = (payload: Readonly<Record<string, unknown>>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(payload) }],
  structuredContent: payload,
  isError: true,
});

/** One sentence, also where there is a list of problems. */
function messageOf(body: { readonly detail?: unknown }): string {
  if (!Array.isArray(body.detail)) return String(body.detail);
  const problems = body.detail as { loc: (string | number)[]; msg: string }[];
  return problems.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
}
