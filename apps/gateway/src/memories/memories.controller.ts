import {
  addEpisodes,
  type IdempotencyToken,
  listEpisodes,
  removeEpisodes,
  searchEpisodes,
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
import { fromList, type ListAnswer, ListMemoriesBody, toListEpisodes } from './list-memories.wire.js';
import { requestedTypes } from './memory-types.wire.js';
import {
  fromSearch,
  type SearchAnswer,
  SearchMemoriesBody,
  toSearchEpisodes,
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
    const episodic = types.includes('episodic')
      ? await this.rpc.call(searchEpisodes, toSearchEpisodes(body))
      : undefined;
    if (episodic && episodic.degraded.length > 0)
      void reply.header('x-degraded', episodic.degraded.join(', '));
    return fromSearch(types, episodic);
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
    const episodic = types.includes('episodic') ? await this.rpc.call(listEpisodes, request) : undefined;
    void reply.header('x-total-count', episodic?.total ?? 0);
    return fromList(request.tenant, types, episodic);
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
}
