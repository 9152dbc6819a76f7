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
import { Documented, Tagged } from '../docs/documented.decorator.js';
import { Idempotency } from '../wire/idempotency.decorator.js';
import {
  boundsFrom,
  CreateKeyBody,
  fromIssuedKey,
  fromKey,
  type IssuedKeyAnswer,
  issuedKeyAnswer,
  type KeyAnswer,
  keyListAnswer,
  ListKeysQuery,
  RotateKeyBody,
  toCreateKey,
  toRotateKey,
  keyId,
} from './keys.wire.js';

/** API keys, for administrators: of the deployment, or of the organization or project that their own key is bound to. */
@Tagged('Keys')
@Controller('api/v2/keys')
export class KeysController {
  constructor(private readonly rpc: RpcClient) {}

  @Post()
  @Access('admin', { tenantFrom: 'caller' })
  @Documented({
    name: 'create_key',
    summary: 'Makes an API key; only this answer ever shows its secret.',
    description:
      'What `org_id` and `project_id` leave open is what your own key is bound to; no key reaches further than the one that made it. A key with a `producer` speaks for that one alone: messages that name another are refused, those that name none get it, and it deletes no messages of others.',
    answer: issuedKeyAnswer,
    errors: [
      'project_not_found',
      'project_being_deleted',
      'producer_not_allowed',
      'name_confusable',
      'quota_exceeded',
    ],
  })
  async create(
    @Body() body: CreateKeyBody,
    @CurrentCaller() caller: Caller,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<IssuedKeyAnswer> {
    return fromIssuedKey(await this.rpc.call(createApiKey, toCreateKey(body, caller, idempotency)));
  }

  @Get()
  @Access('admin', { tenantFrom: 'caller' })
  @Documented({
    name: 'list_keys',
    summary: 'Lists the API keys within the bounds of your own, newest first.',
    answer: keyListAnswer,
    headers: { 'x-total-count': 'How many there are on all pages together.' },
    errors: ['project_not_found'],
  })
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
  @Access('admin', { tenantFrom: 'caller', thing: 'api-key', ignoresBody: true })
  @Documented({
    name: 'revoke_key',
    path: { id: keyId },
    summary: 'Ends an API key, everywhere within a second.',
    errors: ['api_key_not_found'],
  })
  async revoke(
    @Param('id') id: string,
    @CurrentCaller() { bounds: within }: Caller,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    await this.rpc.call(revokeApiKey, { within, id, idempotency });
  }

  @Post(':id/rotate')
  @HttpCode(200)
  @Access('admin', { tenantFrom: 'caller', thing: 'api-key' })
  @Documented({
    name: 'rotate_key',
    path: { id: keyId },
    summary: 'Gives an API key a new secret; the former one stays valid for as long as you say.',
    description:
      'A key with a `producer` rotates only keys that are bound to the same, and one that ends only keys that end no later. A former secret rotates no key, and a key that has expired is not rotated.',
    answer: issuedKeyAnswer,
    errors: ['api_key_not_found', 'api_key_expired', 'producer_not_allowed'],
  })
  async rotate(
    @Param('id') id: string,
    @Body() body: RotateKeyBody,
    @CurrentCaller() caller: Caller,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<IssuedKeyAnswer> {
    return fromIssuedKey(await this.rpc.call(rotateApiKey, toRotateKey(id, body, caller, idempotency)));
  }
}
