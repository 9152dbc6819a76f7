import {
  addFeature,
  getFeature,
  getFeatureHistory,
  type IdempotencyToken,
  removeFeatures,
  undoFeature,
  updateFeature,
  type OrganizationAccess,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { refuseMissing } from '../wire/errors/refuse-missing.js';
import { Access } from '../access/access.decorator.js';
import { OrganizationRights } from '../access/caller.decorator.js';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import { Idempotency } from '../wire/idempotency.decorator.js';
import { tenantOf } from '../wire/tenant.wire.js';
import { type FeatureAnswer, featureAnswer, fromFeature } from './feature-answer.wire.js';
import { DeleteFeaturesBody, toRemoveFeatures } from './delete-features.wire.js';
import { fromChange, type HistoryAnswer, historyAnswer } from './feature-history.wire.js';
import {
  AddFeatureBody,
  FeatureHistoryBody,
  type FeatureIdAnswer,
  featureIdAnswer,
  GetFeatureBody,
  toAddFeature,
  toUpdateFeature,
  UndoFeatureBody,
  UpdateFeatureBody,
} from './semantic-features.wire.js';

/** Routes 12 to 15 of api-contract §1.3, and the history of a feature. */
@Tagged('Semantic Memory: Features')
@Controller(['api/v2/memories/semantic', 'v2/memories/semantic'])
export class SemanticFeaturesController {
  constructor(private readonly rpc: RpcClient) {}

  @Post('delete')
  @HttpCode(204)
  @Access('write', { organization: 'change', replaces: true })
  @Documented({
    name: 'delete_semantic_memory',
    summary: 'Deletes features by their ids.',
    description: 'Those that are not there are named in a 404; the others are deleted all the same.',
    errors: ['project_not_found', 'memory_not_found'],
  })
  async remove(
    @Body() body: DeleteFeaturesBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    refuseMissing(await this.rpc.call(removeFeatures, toRemoveFeatures(body, organization, idempotency)));
  }

  @Post('feature')
  @HttpCode(201)
  @Access('write', { organization: 'change' })
  @Documented({
    name: 'add_feature',
    summary: 'Adds a feature: something that is known, in a category of a set.',
    answer: featureIdAnswer,
    errors: [
      'project_not_found',
      'project_being_deleted',
      'set_not_found',
      'category_not_found',
      'memory_not_found',
      'quota_exceeded',
    ],
  })
  async add(
    @Body() body: AddFeatureBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<FeatureIdAnswer> {
    const { featureId } = await this.rpc.call(addFeature, toAddFeature(body, organization, idempotency));
    return { feature_id: featureId };
  }

  @Post('feature/get')
  @HttpCode(200)
  @Access('read', { organization: 'read' })
  @Documented({
    name: 'get_feature',
    summary: 'Shows a feature.',
    answer: featureAnswer,
    errors: ['feature_not_found'],
  })
  async get(
    @Body() body: GetFeatureBody,
    @OrganizationRights() organization: OrganizationAccess,
  ): Promise<FeatureAnswer> {
    const { feature_id: featureId, load_citations: loadCitations } = body;
    return fromFeature(
      await this.rpc.call(getFeature, { tenant: tenantOf(body), organization, featureId, loadCitations }),
    );
  }

  @Post('feature/update')
  @HttpCode(204)
  @Access('write', { organization: 'change', replaces: true })
  @Documented({
    name: 'update_feature',
    summary: 'Changes a feature; what is absent stays.',
    description:
      'Who changes what a feature says (category, tag, name, value or metadata), or says its value again, vouches for it: models change it no more, and it stays when its messages are deleted. Pinning it, `single_valued` and the moments since when and until when it holds alone vouch for nothing: models may change it as before, and it goes with its messages.',
    errors: ['feature_not_found', 'category_not_found'],
  })
  async update(
    @Body() body: UpdateFeatureBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    await this.rpc.call(updateFeature, toUpdateFeature(body, organization, idempotency));
  }

  @Post('feature/history')
  @HttpCode(200)
  @Access('read', { organization: 'read' })
  @Documented({
    name: 'get_feature_history',
    summary: 'Lists what happened to a feature: by whom, of which episodes, from what to what.',
    description:
      'A page ends where it would have more than 1 MiB; `x-next-cursor` says whether there is more.',
    answer: historyAnswer,
    optionalHeaders: { 'x-next-cursor': 'The `cursor` of the next page; absent on the last.' },
    errors: ['feature_not_found'],
  })
  async history(
    @Body() body: FeatureHistoryBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<HistoryAnswer> {
    const { feature_id: featureId, cursor } = body;
    const request = { tenant: tenantOf(body), organization, featureId, behind: cursor ?? undefined };
    const { changes, next } = await this.rpc.call(getFeatureHistory, request);
    if (next !== undefined) void reply.header('x-next-cursor', next);
    return { changes: changes.map(fromChange) };
  }

  @Post('feature/undo')
  @HttpCode(204)
  @Access('write', { organization: 'change', replaces: true })
  @Documented({
    name: 'undo_feature',
    summary: 'Puts a feature back to what it was before a change.',
    description:
      'With it what the change ended or made one with it. What later changes made of it goes, too, unless `unless_changed` says otherwise.',
    errors: ['feature_not_found', 'change_not_found', 'category_not_found', 'changed_since'],
  })
  async undo(
    @Body() body: UndoFeatureBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    const { feature_id: featureId, change_id: changeId, unless_changed: unlessChanged } = body;
    await this.rpc.call(undoFeature, {
      tenant: tenantOf(body),
      organization,
      featureId,
      changeId,
      unlessChanged,
      idempotency,
    });
  }
}
