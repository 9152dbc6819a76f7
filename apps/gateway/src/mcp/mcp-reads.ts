import {
  type Filter,
  type Instant,
  listConflicts,
  listEpisodes,
  listFeatures,
  type PageByPosition,
  readProfile,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Injectable } from '@nestjs/common';
import { assembleContext, type Context } from '../context/assemble-context.js';
import { episodesOf, setMetadataOf } from '../context/context-scope.js';
import { type ContextBody, toContext, toMemoryQueries } from '../context/context.wire.js';
import { type ProfileAnswer, type ProfileBody, toProfile, toReadProfile } from '../context/profile.wire.js';
import { isUnknownSubject } from '../context/spoken-users.js';
import { fromList, nextCursor } from '../memories/list-memories.wire.js';
import { type ListCursor } from '../memories/list-cursor.js';
import { MemorySearch } from '../memories/memory-search.js';
import {
  fromSearch,
  type SearchMemoriesBody,
  toSearchEpisodes,
  toSearchFeatures,
} from '../memories/search-memories.wire.js';
import { fromConflict } from '../semantic-conflicts/conflicts.wire.js';
import { type McpScope } from './mcp-identity.js';
import { withNulls } from './with-nulls.js';

/** One page of one kind of memory. */
export interface PageRequest {
  readonly kind: 'episodic' | 'semantic';
  readonly filter?: Filter | undefined;
  readonly pageSize: number;
  readonly cursor?: ListCursor | undefined;
  /** Only facts that held then. */
  readonly asOf?: Instant | undefined;
}

/** Conflicts on a page: few enough for the window of a model. */
const CONFLICTS_PER_PAGE = 20;

/** More than fit into the budget of recent messages. */
const RECENT_TOKENS = 2_000;

/** What MCP clients read, of one user where the scope names one. */
@Injectable()
export class McpReads {
  constructor(
    private readonly rpc: RpcClient,
    private readonly memories: MemorySearch,
  ) {}

  /** @returns the answer of a search, with nulls; without the summary, which is of all users, if the scope names one */
  async search(body: SearchMemoriesBody, { organization, user }: McpScope): Promise<Record<string, unknown>> {
    const { episodes, features } = await this.memories.find({
      episodes: { ...toSearchEpisodes(body), filter: episodesOf({ user }) },
      features: { ...toSearchFeatures(body, organization), setMetadata: setMetadataOf({ user }), user },
    });
    const isOfAll = user === undefined;
    return withNulls(fromSearch(episodes && (isOfAll ? episodes : { ...episodes, summary: '' }), features));
  }

  async context(body: ContextBody, { organization }: McpScope): Promise<Omit<Context, 'blocks'>> {
    const { text, tokens, citations } = toContext(
      body,
      await this.memories.findFitting(toMemoryQueries(body, organization)),
    );
    return { text, tokens, citations };
  }

  async list(page: PageRequest, scope: McpScope): Promise<Readonly<Record<string, unknown>>> {
    const after = page.cursor?.[page.kind];
    const listed = after === 'ended' ? {} : await this.page(page, { after }, scope);
    const next = nextCursor(listed);
    return { ...fromList(scope.tenant, listed).content, ...(next !== undefined && { next_cursor: next }) };
  }

  async conflicts(
    pageNum: number,
    { tenant, organization, user }: McpScope,
  ): Promise<Readonly<Record<string, unknown>>> {
    const request = { tenant, organization, subject: user, pageSize: CONFLICTS_PER_PAGE, pageNum };
    const found = await ofNewUsers(() => this.rpc.call(listConflicts, request));
    const { conflicts, total } = found ?? { conflicts: [], total: 0 };
    return { conflicts: conflicts.map(fromConflict), total };
  }

  private async page(
    { kind, filter, pageSize, asOf }: PageRequest,
    byPosition: PageByPosition,
    { tenant, organization, user }: McpScope,
  ) {
    const asked = { tenant, pageSize, pageNum: 0, byPosition };
    if (kind === 'episodic') {
      const request = { ...asked, filter: bothOf(filter, episodesOf({ user })) };
      return { episodic: await this.rpc.call(listEpisodes, request) };
    }
    const setMetadata = setMetadataOf({ user });
    return {
      semantic: await this.rpc.call(listFeatures, {
        ...asked,
        filter,
        organization,
        setMetadata,
        user,
        asOf,
      }),
    };
  }

  /** What is known of a user. @returns undefined when nothing is */
  async profile(body: ProfileBody, { organization }: McpScope): Promise<ProfileAnswer | undefined> {
    const found = await ofNewUsers(() => this.rpc.call(readProfile, toReadProfile(body, organization)));
    return found && toProfile(body, found.features);
  }

  /** The newest messages as a text. */
  async recent({ tenant, user }: McpScope): Promise<string> {
    const request = { tenant, query: '', topK: 1, expandContext: 0, filter: episodesOf({ user }) };
    const { episodes } = await this.memories.find({ episodes: request, features: undefined });
    const findings = { features: [], relevant: [], recent: episodes?.shortTerm ?? [] };
    return assembleContext(findings, RECENT_TOKENS).text;
  }
}

/** Whose memory a connection reads may be new: nothing is known then, which is no mistake. @returns undefined of a new one */
async function ofNewUsers<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isUnknownSubject(error)) return undefined;
    throw error;
  }
}

export function bothOf(first: Filter | undefined, second: Filter | undefined): Filter | undefined {
  return first && second ? { op: 'and', args: [first, second] } : (first ?? second);
}
