import {
  addEpisodes,
  type IdempotencyToken,
  listEpisodes,
  type ListEpisodesResponse,
  listFeatures,
  type ListFeaturesResponse,
  removeEpisodes,
  type OrganizationAccess,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { CurrentCaller, IsHosted, OrganizationRights } from '../access/caller.decorator.js';
import { type Caller } from '../access/caller.js';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import { tenantOf } from '../wire/tenant.wire.js';
import { Idempotency } from '../wire/idempotency.decorator.js';
import {
  type AddedMemoriesAnswer,
  addedMemoriesAnswer,
  AddMemoriesBody,
  fromAddedEpisodes,
  toAddEpisodes,
} from './add-memories.wire.js';
import { refuseMissing } from '../wire/errors/refuse-missing.js';
import { DeleteEpisodesBody, toRemoveEpisodes } from './delete-episodes.wire.js';
import {
  fromList,
  type ListAnswer,
  listAnswer,
  ListMemoriesBody,
  nextCursor,
  refuseContradictions,
  toListEpisodes,
  toListFeatures,
  totalOf,
} from './list-memories.wire.js';
import { requestedTypes } from './memory-types.wire.js';
import { MemorySearch } from './memory-search.js';
import { type SearchAnswer, searchAnswer, SearchMemoriesBody } from './search-memories.wire.js';

/** Routes 8 to 11 of api-contract §1.3. */
@Tagged('Memories')
@Controller(['api/v2/memories', 'v2/memories'])
export class MemoriesController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly memories: MemorySearch,
  ) {}

  @Post()
  @HttpCode(200)
  @Access('write')
  @Documented({
    name: 'add_memories',
    summary: 'Adds messages to memory: all of them or none.',
    description:
      'The answer means that they are stored for good, and the next search finds them. Creates the project if it is missing, unless the organization has used up its quota of projects (403 `quota_exceeded`).',
    answer: addedMemoriesAnswer,
    optionalHeaders: {
      'x-unsupported-language':
        'The language of a message, as ISO 639-1, on which the embedder of the project was not trained: words find it, its meaning hardly does. An embedder for many languages helps (docs/guide/providers.md).',
    },
    errors: ['project_not_found', 'project_being_deleted', 'producer_not_allowed'],
  })
  async add(
    @Body() body: AddMemoriesBody,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<AddedMemoriesAnswer> {
    const added = await this.rpc.call(addEpisodes, toAddEpisodes(body, caller, idempotency));
    if (added.unsupportedLanguage) void reply.header('x-unsupported-language', added.unsupportedLanguage);
    return fromAddedEpisodes(added);
  }

  @Post('search')
  @HttpCode(200)
  @Access('read', { organization: 'read' })
  @Documented({
    name: 'search_memories',
    summary: 'Finds what is remembered on a subject.',
    description:
      'Long-term memory best first, found by meaning and by words; short-term memory oldest first, not ranked. A project that does not exist finds nothing.',
    answer: searchAnswer,
    optionalHeaders: {
      'x-degraded':
        'What could not take part in the answer, as slugs; absent when all is well. `index_behind;waiting=N`: N messages or features have no vector yet and compete by their words.',
      'x-unsupported-language':
        'The language of the query, as ISO 639-1, on which the embedder of the project was not trained: words find, meaning hardly does.',
    },
    errors: ['invalid_filter', 'vector_index_unavailable'],
  })
  async search(
    @Body() body: SearchMemoriesBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SearchAnswer> {
    const { answer, degraded, unsupportedLanguage } = await this.memories.search(body, organization);
    if (degraded.length > 0) void reply.header('x-degraded', degraded.join(', '));
    if (unsupportedLanguage) void reply.header('x-unsupported-language', unsupportedLanguage);
    return answer;
  }

  @Post('list')
  @HttpCode(200)
  @Access('read', { organization: 'read' })
  @Documented({
    name: 'list_memories',
    summary: 'Lists what is remembered, oldest first, page by page.',
    description:
      'Each kind is paged on its own. A page past the end is empty, and so is a project that does not exist. Of a page whose texts are too large for one answer, `page_num` gets a 413 that says which `page_size` would fit, and `cursor` as many as fit. By `cursor` each memory that is there all the time comes once, whatever is added or deleted meanwhile, and a page of a large project costs no more than the first. Under the hosted prefix `type` is `episodic` unless it says otherwise.',
    answer: listAnswer,
    optionalHeaders: {
      'x-total-count':
        'How many match on all pages together; absent behind the first page by `cursor`, and where messages take longer to count than some seconds, as millions do.',
      'x-next-cursor': 'The `cursor` of the next page; absent on the last, and where no `cursor` was sent.',
    },
    errors: ['invalid_filter'],
  })
  async list(
    @Body() body: ListMemoriesBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Res({ passthrough: true }) reply: FastifyReply,
    @IsHosted() isHosted: boolean,
  ): Promise<ListAnswer> {
    const type = body.type ?? (isHosted ? 'episodic' : undefined);
    const types = requestedTypes(type ? [type] : []);
    refuseContradictions(body);
    const [episodic, semantic] = await Promise.all([
      types.includes('episodic') ? this.listEpisodes(body) : undefined,
      types.includes('semantic') ? this.listFeatures(body, organization) : undefined,
    ]);
    const listed = { ...(episodic && { episodic }), ...(semantic && { semantic }) };
    const total = totalOf(listed);
    if (total !== undefined) void reply.header('x-total-count', total);
    const next = body.cursor && nextCursor(listed);
    if (next !== undefined) void reply.header('x-next-cursor', next);
    return fromList(tenantOf(body), listed);
  }

  @Post('episodic/delete')
  @HttpCode(204)
  @Access('write', { replaces: true })
  @Documented({
    name: 'delete_episodic_memory',
    summary: 'Deletes episodes by their uids.',
    description:
      'Those that are not there are named in a 404; the others are deleted all the same. For a key with a `producer` there are the messages of that one alone.',
    errors: ['project_not_found', 'memory_not_found'],
  })
  async deleteEpisodes(
    @Body() body: DeleteEpisodesBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    refuseMissing(await this.rpc.call(removeEpisodes, toRemoveEpisodes(body, idempotency)));
  }

  private async listEpisodes(body: ListMemoriesBody): Promise<ListEpisodesResponse> {
    const request = toListEpisodes(body);
    return request ? this.rpc.call(listEpisodes, request) : { episodes: [] };
  }

  private async listFeatures(
    body: ListMemoriesBody,
    organization: OrganizationAccess,
  ): Promise<ListFeaturesResponse> {
    const request = toListFeatures(body, organization);
    return request ? this.rpc.call(listFeatures, request) : { features: [] };
  }
}
