import { Logger, Metrics } from '@loci/platform';
import { described } from '@loci/platform/schema';
import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Access } from '../access/access.decorator.js';
import { CurrentCaller } from '../access/caller.decorator.js';
import { type Caller } from '../access/caller.js';
import { type Lease } from '../capacity/lease.js';
import { OneByOne } from '../capacity/one-by-one.js';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import { GatewayEnv } from '../env.js';
import { ToolAudit } from '../audit/tool-audit.js';
import { streamOf } from '../http/stream-of.js';
import { countTool } from '../http/measured.js';
import { keyOfPart, readIdempotencyKey } from '../wire/idempotency.decorator.js';
import { McpPrompts } from './mcp-prompts.js';
import { McpResources } from './mcp-resources.js';
import { type McpRequestScope } from './mcp-server.js';
import { McpTools } from './mcp-tools.js';
import { messagesIn } from './messages-in.js';
import { waitingFrames } from './waiting-frames.js';

const jsonRpc = Type.Object(
  {
    jsonrpc: described(
      Type.Literal('2.0'),
      'Version of JSON-RPC; the other members are those of the Model Context Protocol.',
    ),
  },
  { additionalProperties: true, title: 'JsonRpcMessage' },
);

const jsonRpcOrBatch = Type.Union([jsonRpc, Type.Array(jsonRpc)]);

/**
 * MCP over streamable HTTP. It keeps no sessions, so any replica answers any request; a client that opens a stream to wait for
 * messages of the server gets 405, as the protocol has it for servers that send none.
 */
@Tagged('MCP')
@Controller('mcp')
export class McpController {
  constructor(
    private readonly tools: McpTools,
    private readonly resources: McpResources,
    private readonly prompts: McpPrompts,
    private readonly audit: ToolAudit,
    private readonly env: GatewayEnv,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  @Post()
  @HttpCode(200)
  @Access('read', { tenantFrom: 'caller' })
  @Documented({
    name: 'mcp',
    summary: 'Memory for MCP clients: tools, resources and prompts.',
    description:
      'Streamable HTTP of the Model Context Protocol. Tools: add_memory, search_memory, get_context, list_memories, correct_memory, delete_memory, list_conflicts, settle_conflict. Resources: the profile of a user and recent messages. Prompts: answer_from_memory, review_memory. The headers `org-id`, `proj-id` and `user-id` say whom they act for; they go before the arguments. Where a user is named, nothing of other users is read, corrected or deleted (`MCP_USER_SCOPE`). add_memory, correct_memory, delete_memory and settle_conflict need the scope `write`; what a key does not allow is a failure of the tool. With the header `Idempotency-Key`, add_memory, correct_memory and settle_conflict give the same answer to the same arguments for 24 hours, and do their work once; in a batch the `id` of a request belongs to its key. The answer to a call with a `progressToken` is a stream of events, with `notifications/progress` each second while the call is at work. A tool that fails has `isError`, and as JSON in its text the `status`, the `code`, a `message` and the `detail` with which the routes refuse the same: add_memories, search_memories, get_context, list_memories, update_feature, delete_episodic_memory, delete_semantic_memory, list_conflicts and settle_conflict.',
    takes: 'application/json',
    body: jsonRpcOrBatch,
    answer: jsonRpcOrBatch,
    furtherAnswers: {
      202: { description: 'A message that needs no answer was taken.' },
      400: { description: 'Not a message of the protocol, or of another version of it.', answer: jsonRpc },
      406: { description: 'The client has to accept both JSON and event streams.', answer: jsonRpc },
    },
  })
  async handle(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    const { headers, body, method, url } = request;
    await request.server.countRequests(request, messagesIn(body, this.env.MAX_BATCH_LENGTH) - 1);
    // loaded with the first call: many gateways never see one
    const { mcpServer } = await import('./mcp-server.js');
    const { checkParams } = await import('./check-params.js');
    const { asksForProgress } = await import('./tool-progress.js');
    const { WebStandardStreamableHTTPServerTransport } =
      await import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js');
    const server = mcpServer(this.scopeOf(request, caller));
    const isStream = asksForProgress(body);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !isStream });
    try {
      await server.connect(transport);
      checkParams(transport);
      const message = new Request(`http://loci${url}`, { method, headers: plain({ ...headers, ...PARSED }) });
      // the answer may begin before the first operation, which then holds the turn itself
      const letGo = request.lease?.hold();
      const answer = await transport
        .handleRequest(message, { parsedBody: body ?? null })
        .finally(() => letGo && setImmediate(letGo));
      await send(reply, answer, isStream ? request.lease : undefined);
    } finally {
      await server.close();
    }
  }

  private scopeOf(request: FastifyRequest, caller: Caller): McpRequestScope {
    const key = readIdempotencyKey(request);
    const turns = new OneByOne(request.lease);
    return {
      tools: this.tools.all,
      resources: this.resources,
      prompts: this.prompts,
      limits: this.env,
      caller: { caller, headers: request.headers },
      keyOf: (id) => (key !== undefined && Array.isArray(request.body) ? keyOfPart(key, id) : key),
      audit: (operation) => this.audit.of(operation, request),
      measure: (tool, answered) => countTool(this.metrics, tool, answered),
      inTurn: (work) => turns.run(work),
      report: (error) => this.logger.error('tool failed', { request_id: request.id, error }),
    };
  }
}

/** @param lease of an answer that tells progress: it goes out piece by piece, until the client has all of it */
async function send(reply: FastifyReply, answer: Response, lease: Lease | undefined): Promise<void> {
  answer.headers.forEach((value, name) => void reply.header(name, value));
  if (lease && answer.ok && answer.body) {
    void reply.header('x-accel-buffering', 'no');
    await reply.code(answer.status).send(streamOf(waitingFrames(answer.body, lease)));
  } else {
    await reply.code(answer.status).send(await answer.text());
  }
}

/** The transport knows one name of JSON only, and its body is parsed by now. */
const PARSED = { 'content-type': 'application/json' };

const plain = (headers: FastifyRequest['headers']): [string, string][] =>
  Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]);
