import { type IdempotencyToken, invalid } from '@loci/contracts';
import { Injectable } from '@nestjs/common';
import { isId } from '../audit/audited-ids.js';
import { ContextBody } from '../context/context.wire.js';
import { GatewayEnv } from '../env.js';
import { AddMemoriesBody } from '../memories/add-memories.wire.js';
import { ListMemoriesBody } from '../memories/list-memories.wire.js';
import { SearchMemoriesBody } from '../memories/search-memories.wire.js';
import { tokenFor } from '../wire/idempotency.decorator.js';
import { readRequest, type RequestClass } from '../wire/schema/request.js';
import { type TenantBody, tenantOf } from '../wire/tenant.wire.js';
import {
  AddMemoryArguments,
  CorrectMemoryArguments,
  DeleteMemoryArguments,
  GetContextArguments,
  ListConflictsArguments,
  ListMemoriesArguments,
  SearchMemoryArguments,
  SettleConflictArguments,
} from './mcp-arguments.wire.js';
import { identityOf, type McpScope, type NamedIds, scopeOf } from './mcp-identity.js';
import { McpReads } from './mcp-reads.js';
import { type McpTool, type ReadyCall, tool, type ToolCall, type ToolCaller } from './mcp-tool.js';
import { McpWrites } from './mcp-writes.js';
import { ADD, CONFLICTS, CONTEXT, CORRECT, DELETE, LIST, SEARCH, SETTLE } from './tool-descriptions.js';

const SUCCESS = { status: 200, message: 'Success' };

/** The tools of api-contract §1.12 and ours: the same operations as the routes, with the arguments that MCP clients know. */
@Injectable()
export class McpTools {
  readonly all: readonly McpTool[];

  constructor(
    private readonly reads: McpReads,
    private readonly writes: McpWrites,
    private readonly env: GatewayEnv,
  ) {
    this.all = [
      tool(env, ADD, AddMemoryArguments, (given, call) => this.add(given, call)),
      tool(env, SEARCH, SearchMemoryArguments, (given, call) => this.search(given, call)),
      tool(env, CONTEXT, GetContextArguments, (given, call) => this.context(given, call)),
      tool(env, LIST, ListMemoriesArguments, (given, call) => this.list(given, call)),
      tool(env, CORRECT, CorrectMemoryArguments, (given, call) => this.correct(given, call)),
      tool(env, DELETE, DeleteMemoryArguments, (given, call) => this.delete(given, call)),
      tool(env, CONFLICTS, ListConflictsArguments, (given, call) => this.conflicts(given, call)),
      tool(env, SETTLE, SettleConflictArguments, (given, call) => this.settle(given, call)),
    ];
  }

  private add(given: AddMemoryArguments, call: ToolCall): ReadyCall {
    const { user_id, ...project } = identityOf(call, this.env, given);
    const message = {
      content: given.content,
      producer: user_id,
      produced_for: 'unknown',
      role: 'user',
      metadata: { user_id },
    };
    const body = this.read(AddMemoriesBody, { ...project, messages: [message] });
    return {
      tenant: tenantOf(body),
      perform: async () => {
        const [uid = '', ...others] = await this.writes.add(body, call.caller, this.tokenOf(call, given));
        return { payload: { ...SUCCESS, uid }, created: [uid, ...others] };
      },
    };
  }

  private search(given: SearchMemoryArguments, call: ToolCaller): ReadyCall {
    const { org_id, project_id } = identityOf(call, this.env, given);
    const { query, top_k, as_of } = given;
    const body = this.read(SearchMemoriesBody, { org_id, project_id, query, top_k, as_of });
    const scope = this.readable(given, call);
    return {
      tenant: scope.tenant,
      perform: async () => {
        const payload = await this.reads.search(body, scope);
        return { payload, structured: { result: payload } };
      },
    };
  }

  private context(given: GetContextArguments, call: ToolCaller): ReadyCall {
    const scope = scopeOf(call, this.env, given);
    const { orgId: org_id, projectId: project_id } = scope.tenant;
    const { query, max_tokens, as_of } = given;
    const asked = { query, max_tokens, as_of, user: scope.user };
    const body = this.read(ContextBody, { org_id, project_id, ...asked });
    return {
      tenant: scope.tenant,
      perform: async () => ({ payload: await this.reads.context(body, scope) }),
    };
  }

  private list(given: ListMemoriesArguments, call: ToolCaller): ReadyCall {
    const scope = this.readable(given, call);
    const { kind, filter, page_size: pageSize, cursor } = given;
    const { orgId: org_id, projectId: project_id } = scope.tenant;
    const { as_of: asOf } = this.read(ListMemoriesBody, { org_id, project_id, as_of: given.as_of });
    const page = { kind, filter, pageSize, cursor, asOf };
    return {
      tenant: scope.tenant,
      perform: async () => ({ payload: await this.reads.list(page, scope) }),
    };
  }

  private correct(given: CorrectMemoryArguments, call: ToolCall): ReadyCall {
    const scope = this.readable(given, call);
    const { semantic_memory_uid: id, value } = given;
    return {
      tenant: scope.tenant,
      ids: [id].filter(isId),
      perform: async () => {
        await this.writes.correct(scope, id, { value, idempotency: this.tokenOf(call, given) });
        return { payload: SUCCESS };
      },
    };
  }

  private delete(given: DeleteMemoryArguments, call: ToolCaller): ReadyCall {
    const scope = this.readable(given, call);
    const uids = [...new Set(given.episodic_memory_uids)];
    const featureIds = [...new Set(given.semantic_memory_uids)];
    if (uids.length + featureIds.length === 0) throw noId();
    return {
      tenant: scope.tenant,
      ids: [...uids, ...featureIds].filter(isId),
      perform: async () => {
        await this.writes.remove(scope, uids, featureIds);
        return { payload: SUCCESS };
      },
    };
  }

  private conflicts(given: ListConflictsArguments, call: ToolCaller): ReadyCall {
    const scope = this.readable(given, call);
    return {
      tenant: scope.tenant,
      perform: async () => ({ payload: await this.reads.conflicts(given.page, scope) }),
    };
  }

  private settle(given: SettleConflictArguments, call: ToolCall): ReadyCall {
    const scope = this.readable(given, call);
    const { semantic_memory_uid: id } = given;
    return {
      tenant: scope.tenant,
      ids: [id].filter(isId),
      perform: async () => {
        await this.writes.settle(scope, id, this.tokenOf(call, given));
        return { payload: SUCCESS };
      },
    };
  }

  /** Of what is asked for whom: ids may come from headers, which the arguments do not show. */
  private tokenOf(call: ToolCall, given: NamedIds): IdempotencyToken | undefined {
    const { idempotencyKey: key } = call;
    return key === undefined ? undefined : tokenFor(key, [identityOf(call, this.env, given), given]);
  }

  /** What a search, a list and a change by id reach. */
  private readable(ids: NamedIds, call: ToolCaller): McpScope {
    const scope = scopeOf(call, this.env, ids);
    return this.env.MCP_USER_SCOPE === 'on' ? scope : { ...scope, user: undefined };
  }

  /** The same checks as those of the route: ids may come from headers. */
  private read<Shape extends TenantBody>(shape: RequestClass<Shape>, body: object): Shape {
    return readRequest(shape, body, { from: 'arguments', limits: this.env });
  }
}

const noId = (): Error =>
  invalid('invalid_request', [
    {
      loc: ['arguments', 'episodic_memory_uids'],
      msg: 'At least one id is required, in episodic_memory_uids or semantic_memory_uids',
      type: 'too_short',
    },
  ]);
