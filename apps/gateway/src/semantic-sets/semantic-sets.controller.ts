import {
  addSetType,
  configureSet,
  type IdempotencyToken,
  identifySet,
  listSets,
  listSetTypes,
  removeSetType,
  type OrganizationAccess,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Access } from '../access/access.decorator.js';
import { OrganizationRights } from '../access/caller.decorator.js';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import { Idempotency } from '../wire/idempotency.decorator.js';
import { tenantOf } from '../wire/tenant.wire.js';
import {
  ConfigureSetBody,
  CreateSetTypeBody,
  DeleteSetTypeBody,
  fromSet,
  fromSetType,
  GetSetIdBody,
  ListSetIdsBody,
  ListSetTypesBody,
  type SetIdAnswer,
  setIdAnswer,
  type SetListAnswer,
  setListAnswer,
  type SetTypeIdAnswer,
  setTypeIdAnswer,
  type SetTypeListAnswer,
  setTypeListAnswer,
  toAddSetType,
  toConfigureSet,
  toIdentifySet,
  toListSetTypes,
} from './semantic-sets.wire.js';

/** Routes 16 to 21 of api-contract §1.3. */
@Tagged('Semantic Memory: Sets')
@Controller(['api/v2/memories/semantic', 'v2/memories/semantic'])
export class SemanticSetsController {
  constructor(private readonly rpc: RpcClient) {}

  @Post('set_type')
  @HttpCode(201)
  @Access('write', { organization: 'change' })
  @Documented({
    name: 'create_semantic_set_type',
    summary: 'Makes a set type: which metadata keys episodes are grouped by.',
    description:
      'A type of these keys that is there already is given, not made twice. One of the organization takes a key of the organization with the scope admin that is bound to no producer.',
    answer: setTypeIdAnswer,
    errors: ['project_not_found', 'project_being_deleted', 'set_type_not_found', 'quota_exceeded'],
  })
  async addType(
    @Body() body: CreateSetTypeBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<SetTypeIdAnswer> {
    const { setTypeId } = await this.rpc.call(addSetType, toAddSetType(body, organization, idempotency));
    return { set_type_id: setTypeId };
  }

  @Post('set_type/list')
  @HttpCode(200)
  @Access('read', { organization: 'read' })
  @Documented({
    name: 'list_semantic_set_types',
    summary: 'Lists the set types of a project, and for a key of its organization those of the organization.',
    answer: setTypeListAnswer,
  })
  async listTypes(
    @Body() body: ListSetTypesBody,
    @OrganizationRights() organization: OrganizationAccess,
  ): Promise<SetTypeListAnswer> {
    const { setTypes } = await this.rpc.call(listSetTypes, toListSetTypes(body, organization));
    return { set_types: setTypes.map(fromSetType) };
  }

  @Post('set_type/delete')
  @HttpCode(204)
  @Access('write', { organization: 'change', replaces: true })
  @Documented({
    name: 'delete_semantic_set_type',
    summary: 'Deletes a set type with its templates and the features in them.',
    errors: ['set_type_not_found'],
  })
  async removeType(
    @Body() body: DeleteSetTypeBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    await this.rpc.call(removeSetType, {
      tenant: tenantOf(body),
      organization,
      setTypeId: body.set_type_id,
      idempotency,
    });
  }

  @Post('set_id/get')
  @HttpCode(200)
  @Access('read', { organization: 'read' })
  @Documented({
    name: 'get_semantic_set_id',
    summary: 'Gives the id of the set for these keys and values; stores nothing.',
    answer: setIdAnswer,
    errors: ['project_not_found', 'set_not_found'],
  })
  async identify(
    @Body() body: GetSetIdBody,
    @OrganizationRights() organization: OrganizationAccess,
  ): Promise<SetIdAnswer> {
    const { setId } = await this.rpc.call(identifySet, toIdentifySet(body, organization));
    return { set_id: setId };
  }

  @Post('set_id/list')
  @HttpCode(200)
  @Access('read', { organization: 'read' })
  @Documented({
    name: 'list_semantic_set_ids',
    summary: 'Lists the sets that these metadata belong to; stores nothing.',
    answer: setListAnswer,
  })
  async list(
    @Body() body: ListSetIdsBody,
    @OrganizationRights() organization: OrganizationAccess,
  ): Promise<SetListAnswer> {
    const { sets } = await this.rpc.call(listSets, {
      tenant: tenantOf(body),
      organization,
      metadata: body.set_metadata,
    });
    return { sets: sets.map(fromSet) };
  }

  @Post('set/configure')
  @HttpCode(204)
  @Access('write', { organization: 'change', replaces: true })
  @Documented({
    name: 'configure_semantic_set',
    summary: 'Chooses the models of a set; what is absent stays.',
    description:
      'Another embedder takes over when it has embedded every feature of the set; searches go on with the former one until then.',
    errors: [
      'project_not_found',
      'project_being_deleted',
      'set_not_found',
      'quota_exceeded',
      'unknown_resource',
    ],
  })
  async configure(
    @Body() body: ConfigureSetBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    await this.rpc.call(configureSet, toConfigureSet(body, organization, idempotency));
  }
}
