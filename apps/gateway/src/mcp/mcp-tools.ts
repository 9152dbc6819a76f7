import {
  addEpisodes,
  invalid,
  type RemovedEpisodes,
  removeEpisodes,
  removeFeatures,
  type SemanticRequest,
  organizationAccess,
  type OrganizationAccess,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Injectable } from '@nestjs/common';
import { isId } from '../audit/audited-ids.js';
import { ContextBody, toContext, toMemoryQueries } from '../context/context.wire.js';
import { GatewayEnv } from '../env.js';
import { AddMemoriesBody, toAddEpisodes } from '../memories/add-memories.wire.js';
import { refuseMissing } from '../wire/errors/refuse-missing.js';
import { MemorySearch } from '../memories/memory-search.js';
import { SearchMemoriesBody } from '../memories/search-memories.wire.js';
import { readRequest, type RequestClass } from '../wire/schema/request.js';
import { NamedProjectBody, type TenantBody, tenantOf } from '../wire/tenant.wire.js';
import {
  AddMemoryArguments,
  DeleteMemoryArguments,
  GetContextArguments,
  SearchMemoryArguments,
} from './mcp-arguments.wire.js';
import { identityOf, userOf } from './mcp-identity.js';
import {
  type McpTool,
  type ReadyCall,
  tool,
  type ToolCaller,
  type ToolDescription,
  type ToolResult,
} from './mcp-tool.js';
import { withNulls } from './with-nulls.js';

const ADD = {
  name: 'add_memory',
  description:
    'Store one thing that was said or learnt, so that later conversations can find it. Write it so that it can be understood on its own.',
  access: 'write',
} as const;

const SEARCH = {
  name: 'search_memory',
  description:
    'Find what is remembered on a subject: episodes, best first, and what is known of it. Ask in a sentence.',
  access: 'read',
  organization: 'read',
} as const;

const CONTEXT = {
  name: 'get_context',
  description:
    'Get what is remembered that matters to a question, as a text within a token budget: profile, facts, relevant episodes and recent turns, each line with a marker that its citation explains. Of one user only, if one is named.',
  access: 'read',
  organization: 'read',
} as const;

const DELETE = {
  name: 'delete_memory',
  description: 'Delete memories by the uids that a search showed.',
  access: 'write',
  organization: 'change',
  replaces: true,
} as const;

/** The tools of api-contract §1.12: the same operations as the routes, with the arguments that MCP clients know. */
@Injectable()
export class McpTools {
  readonly all: readonly McpTool[];

  constructor(
    private readonly rpc: RpcClient,
    private readonly memories: MemorySearch,
    private readonly env: GatewayEnv,
  ) {
    this.all = [
      tool(env, ADD, AddMemoryArguments, (given, call) => this.add(given, call)),
      tool(env, SEARCH, SearchMemoryArguments, (given, call) => this.search(given, call)),
      tool(env, CONTEXT, GetContextArguments, (given, call) => this.context(given, call)),
      tool(env, DELETE, DeleteMemoryArguments, (given, call) => this.delete(given, call)),
    ];
  }

  private add(given: AddMemoryArguments, call: ToolCaller): ReadyCall {
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
        const { uids } = await this.rpc.call(addEpisodes, toAddEpisodes(body, call.caller, undefined));
        return { payload: { status: 200, message: 'Success' }, created: uids };
      },
    };
  }

  private search(given: SearchMemoryArguments, call: ToolCaller): ReadyCall {
    const { org_id, project_id } = identityOf(call, this.env, given);
    const { query, top_k } = given;
    const body = this.read(SearchMemoriesBody, { org_id, project_id, query, top_k });
    return {
      tenant: tenantOf(body),
      perform: async () => {
        const { answer } = await this.memories.search(body, organizationOf(call));
        const payload = withNulls(answer);
        return { payload, structured: { result: payload } };
      },
    };
  }

  private context(given: GetContextArguments, call: ToolCaller): ReadyCall {
    const { org_id, project_id } = identityOf(call, this.env, given);
    const { query, max_tokens } = given;
    const user = userOf(call, this.env, given);
    const body = this.read(ContextBody, { org_id, project_id, query, max_tokens, user });
    return {
      tenant: tenantOf(body),
      perform: async () => {
        const found = await this.memories.find(toMemoryQueries(body, organizationOf(call)));
        const { text, tokens, citations } = toContext(body, found);
        return { payload: { text, tokens, citations } };
      },
    };
  }

  private delete(given: DeleteMemoryArguments, call: ToolCaller): ReadyCall {
    const { org_id, project_id } = identityOf(call, this.env, given);
    const tenant = tenantOf(this.read(NamedProjectBody, { org_id, project_id }));
    const organization = organizationOf(call);
    const uids = [...new Set(given.episodic_memory_uids)];
    const featureIds = [...new Set(given.semantic_memory_uids)];
    if (uids.length + featureIds.length === 0) throw noId();
    return {
      tenant,
      ids: [...uids, ...featureIds].filter(isId),
      perform: () => this.remove({ tenant, organization }, uids, featureIds),
    };
  }

  private async remove(
    { tenant, organization }: SemanticRequest,
    uids: readonly string[],
    featureIds: readonly string[],
  ): Promise<ToolResult> {
    const [episodes, features] = await Promise.all([
      uids.length > 0 ? this.rpc.call(removeEpisodes, { tenant, uids }) : NONE,
      featureIds.length > 0 ? this.rpc.call(removeFeatures, { tenant, organization, featureIds }) : NONE,
    ]);
    refuseMissing({
      deleted: [...episodes.deleted, ...features.deleted],
      notFound: [...episodes.notFound, ...features.notFound],
    });
    return { payload: { status: 200, message: 'Success' } };
  }

  /** The same checks as those of the route: ids may come from headers. */
  private read<Shape extends TenantBody>(shape: RequestClass<Shape>, body: object): Shape {
    return readRequest(shape, body, { from: 'arguments', limits: this.env });
  }
}

/** The rows of the access table that are tools. */
export const MCP_TOOLS: readonly ToolDescription[] = [ADD, SEARCH, CONTEXT, DELETE];

const organizationOf = ({ caller }: ToolCaller): OrganizationAccess => organizationAccess(caller);

const NONE: RemovedEpisodes = { deleted: [], notFound: [] };

const noId = (): Error =>
  invalid('invalid_request', [
    {
      loc: ['arguments', 'episodic_memory_uids'],
      msg: 'At least one id is required, in episodic_memory_uids or semantic_memory_uids',
      type: 'too_short',
    },
  ]);
