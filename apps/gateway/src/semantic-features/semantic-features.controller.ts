import {
  addFeature,
  getFeature,
  getFeatureHistory,
  type IdempotencyToken,
  removeFeatures,
  undoFeature,
  updateFeature,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { refuseMissing } from '../memories/delete-episodes.wire.js';
import { Access } from '../access/access.decorator.js';
import { Idempotency } from '../wire/idempotency.decorator.js';
import { tenantOf } from '../wire/tenant.wire.js';
import { DeleteFeaturesBody, toRemoveFeatures } from './delete-features.wire.js';
import {
  AddFeatureBody,
  type ChangeAnswer,
  type FeatureAnswer,
  FeatureIdBody,
  fromChange,
  fromFeature,
  GetFeatureBody,
  toAddFeature,
  toUpdateFeature,
  UndoFeatureBody,
  UpdateFeatureBody,
} from './semantic-features.wire.js';

/** Routes 12 to 15 of api-contract §1.3, and the history of a feature. */
@Controller(['api/v2/memories/semantic', 'v2/memories/semantic'])
export class SemanticFeaturesController {
  constructor(private readonly rpc: RpcClient) {}

  @Post('delete')
  @HttpCode(204)
  @Access('write')
  async remove(
    @Body() body: DeleteFeaturesBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    refuseMissing(await this.rpc.call(removeFeatures, toRemoveFeatures(body, idempotency)));
  }

  @Post('feature')
  @HttpCode(201)
  @Access('write')
  async add(
    @Body() body: AddFeatureBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<{ feature_id: string }> {
    const { featureId } = await this.rpc.call(addFeature, toAddFeature(body, idempotency));
    return { feature_id: featureId };
  }

  @Post('feature/get')
  @HttpCode(200)
  @Access('read')
  async get(@Body() body: GetFeatureBody): Promise<FeatureAnswer> {
    const { feature_id: featureId, load_citations: loadCitations } = body;
    return fromFeature(await this.rpc.call(getFeature, { tenant: tenantOf(body), featureId, loadCitations }));
  }

  @Post('feature/update')
  @HttpCode(204)
  @Access('write')
  async update(
    @Body() body: UpdateFeatureBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    await this.rpc.call(updateFeature, toUpdateFeature(body, idempotency));
  }

  @Post('feature/history')
  @HttpCode(200)
  @Access('read')
  async history(@Body() body: FeatureIdBody): Promise<{ changes: ChangeAnswer[] }> {
    const request = { tenant: tenantOf(body), featureId: body.feature_id };
    return { changes: (await this.rpc.call(getFeatureHistory, request)).changes.map(fromChange) };
  }

  @Post('feature/undo')
  @HttpCode(204)
  @Access('write')
  async undo(@Body() body: UndoFeatureBody, @Idempotency() idempotency?: IdempotencyToken): Promise<void> {
    const { feature_id: featureId, change_id: changeId } = body;
    await this.rpc.call(undoFeature, { tenant: tenantOf(body), featureId, changeId, idempotency });
  }
}
