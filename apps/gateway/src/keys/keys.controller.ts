import {
  createApiKey,
  type IdempotencyToken,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { CurrentCaller } from '../access/caller.decorator.js';
import { type Caller } from '../access/caller.js';
import { Idempotency } from '../wire/idempotency.decorator.js';
import {
  boundsFrom,
  CreateKeyBody,
  fromIssuedKey,
  fromKey,
  type IssuedKeyAnswer,
  type KeyAnswer,
  ListKeysQuery,
  RotateKeyBody,
  toCreateKey,
} from './keys.wire.js';

/** API keys, for administrators: of the deployment, or of the organization or project that their own key is bound to. */
@Controller('api/v2/keys')
export class KeysController {
  constructor(private readonly rpc: RpcClient) {}

  @Post()
  @Access('admin', { tenantFrom: 'caller' })
  async create(
    @Body() body: CreateKeyBody,
    @CurrentCaller() caller: Caller,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<IssuedKeyAnswer> {
    return fromIssuedKey(await this.rpc.call(createApiKey, toCreateKey(body, caller, idempotency)));
  }

  @Get()
  @Access('admin', { tenantFrom: 'caller' })
  async list(
    @Query() query: ListKeysQuery,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<KeyAnswer[]> {
    const { page_size: limit, page_num } = query;
    const request = { within: boundsFrom(query, caller), offset: limit * page_num, limit };
    const { keys, total } = await this.rpc.call(listApiKeys, request);
    void reply.header('x-total-count', total);
    return keys.map(fromKey);
  }

  @Delete(':id')
  @HttpCode(204)
  @Access('admin', { tenantFrom: 'caller' })
  async revoke(
    @Param('id') id: string,
    @CurrentCaller() { bounds: within }: Caller,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    await this.rpc.call(revokeApiKey, { within, id, idempotency });
  }

  @Post(':id/rotate')
  @HttpCode(200)
  @Access('admin', { tenantFrom: 'caller' })
  async rotate(
    @Param('id') id: string,
    @Body() body: RotateKeyBody,
    @CurrentCaller() { bounds: within }: Caller,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<IssuedKeyAnswer> {
    const request = { within, id, graceSeconds: body.grace_seconds, idempotency };
    return fromIssuedKey(await this.rpc.call(rotateApiKey, request));
  }
}
