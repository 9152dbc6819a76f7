import {
  addSetType,
  configureSet,
  type IdempotencyToken,
  identifySet,
  listSets,
  listSetTypes,
  removeSetType,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Access } from '../access/access.decorator.js';
import { Idempotency } from '../wire/idempotency.decorator.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import {
  ConfigureSetBody,
  CreateSetTypeBody,
  DeleteSetTypeBody,
  fromSet,
  fromSetType,
  GetSetIdBody,
  ListSetIdsBody,
  type SetEntry,
  toAddSetType,
  toConfigureSet,
  toIdentifySet,
} from './semantic-sets.wire.js';

/** Routes 16 to 21 of api-contract §1.3. */
@Controller(['api/v2/memories/semantic', 'v2/memories/semantic'])
export class SemanticSetsController {
  constructor(private readonly rpc: RpcClient) {}

  @Post('set_type')
  @HttpCode(201)
  @Access('write')
  async addType(
    @Body() body: CreateSetTypeBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<{ set_type_id: string }> {
    const { setTypeId } = await this.rpc.call(addSetType, toAddSetType(body, idempotency));
    return { set_type_id: setTypeId };
  }

  @Post('set_type/list')
  @HttpCode(200)
  @Access('read')
  async listTypes(@Body() body: TenantBody): Promise<{ set_types: SetEntry[] }> {
    const { setTypes } = await this.rpc.call(listSetTypes, { tenant: tenantOf(body) });
    return { set_types: setTypes.map(fromSetType) };
  }

  @Post('set_type/delete')
  @HttpCode(204)
  @Access('write')
  async removeType(
    @Body() body: DeleteSetTypeBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    await this.rpc.call(removeSetType, {
      tenant: tenantOf(body),
      setTypeId: body.set_type_id,
      idempotency,
    });
  }

  @Post('set_id/get')
  @HttpCode(200)
  @Access('read')
  async identify(@Body() body: GetSetIdBody): Promise<{ set_id: string }> {
    const { setId } = await this.rpc.call(identifySet, toIdentifySet(body));
    return { set_id: setId };
  }

  @Post('set_id/list')
  @HttpCode(200)
  @Access('read')
  async list(@Body() body: ListSetIdsBody): Promise<{ sets: SetEntry[] }> {
    const { sets } = await this.rpc.call(listSets, {
      tenant: tenantOf(body),
      metadata: body.set_metadata,
    });
    return { sets: sets.map(fromSet) };
  }

  @Post('set/configure')
  @HttpCode(204)
  @Access('write')
  async configure(
    @Body() body: ConfigureSetBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    await this.rpc.call(configureSet, toConfigureSet(body, idempotency));
  }
}
