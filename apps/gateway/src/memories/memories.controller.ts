import {
  addEpisodes,
  AppError,
  type IdempotencyToken,
  listEpisodes,
  listFeatures,
  removeEpisodes,
  searchEpisodes,
  searchFeatures,
  type SearchFeaturesRequest,
  type SearchFeaturesResponse,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { IsHosted } from '../access/caller.decorator.js';
import { Idempotency } from '../wire/idempotency.decorator.js';
import {
  type AddedMemoriesAnswer,
  AddMemoriesBody,
  fromAddedEpisodes,
  toAddEpisodes,
} from './add-memories.wire.js';
import { DeleteEpisodesBody, refuseMissing, toRemoveEpisodes } from './delete-episodes.wire.js';
import {
  fromList,
  type ListAnswer,
  ListMemoriesBody,
  toListEpisodes,
  toListFeatures,
} from './list-memories.wire.js';
import { requestedTypes } from './memory-types.wire.js';
import {
  fromSearch,
  type SearchAnswer,
  SearchMemoriesBody,
  toSearchEpisodes,
  toSearchFeatures,
} from './search-memories.wire.js';

/** Routes 8 to 11 of api-contract §1.3. */
@Controller(['api/v2/memories', 'v2/memories'])
export class MemoriesController {
  constructor(private readonly rpc: RpcClient) {}

  @Post()
  @HttpCode(200)
  @Access('write')
  async add(
    @Body() body: AddMemoriesBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<AddedMemoriesAnswer> {
    return fromAddedEpisodes(await this.rpc.call(addEpisodes, toAddEpisodes(body, idempotency)));
  }

  @Post('search')
  @HttpCode(200)
  @Access('read')
  async search(
    @Body() body: SearchMemoriesBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SearchAnswer> {
    const types = requestedTypes(body.types);
    const [episodic, semantic] = await Promise.all([
      types.includes('episodic') ? this.rpc.call(searchEpisodes, toSearchEpisodes(body)) : undefined,
      types.includes('semantic') ? this.searchFeatures(toSearchFeatures(body)) : undefined,
    ]);
    const degraded = new Set([...(episodic?.degraded ?? []), ...(semantic?.degraded ?? [])]);
    if (degraded.size > 0) void reply.header('x-degraded', [...degraded].join(', '));
    return fromSearch(episodic, semantic);
  }

  @Post('list')
  @HttpCode(200)
  @Access('read')
  async list(
    @Body() body: ListMemoriesBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @IsHosted() isHosted: boolean,
  ): Promise<ListAnswer> {
    const type = body.type ?? (isHosted ? 'episodic' : undefined);
    const types = requestedTypes(type ? [type] : []);
    const request = toListEpisodes(body);
    const [episodic, semantic] = await Promise.all([
      types.includes('episodic') ? this.rpc.call(listEpisodes, request) : undefined,
      types.includes('semantic') ? this.rpc.call(listFeatures, toListFeatures(body)) : undefined,
    ]);
    void reply.header('x-total-count', (episodic?.total ?? 0) + (semantic?.total ?? 0));
    return fromList(request.tenant, episodic, semantic);
  }

  @Post('episodic/delete')
  @HttpCode(204)
  @Access('write')
  async deleteEpisodes(
    @Body() body: DeleteEpisodesBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    refuseMissing(await this.rpc.call(removeEpisodes, toRemoveEpisodes(body, idempotency)));
  }

  /** While semantic memory cannot answer, the search answers from the rest, and says so. */
  private async searchFeatures(request: SearchFeaturesRequest): Promise<SearchFeaturesResponse> {
    try {
      return await this.rpc.call(searchFeatures, request);
    } catch (error) {
      if (!(error instanceof AppError) || (error.kind !== 'unavailable' && error.kind !== 'timeout'))
        throw error;
      return { features: [], degraded: ['semantic_unavailable'] };
    }
  }
}
