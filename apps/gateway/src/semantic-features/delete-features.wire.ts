import {
  type IdempotencyToken,
  invalid,
  type RemoveFeaturesRequest,
  type OrganizationAccess,
} from '@loci/contracts';
import { byDefault, filledText, listOf, optional, described } from '@loci/platform/schema';
import { request } from '../wire/schema/request.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import { EXAMPLE_UID } from '../wire/examples.js';

/** As with episodes: only an empty id is refused, any other names nothing or something. */
const featureId = filledText('MAX_LABEL_CHARS');

export class DeleteFeaturesBody extends request('DeleteFeaturesSpec', {
  ...TenantBody.schema.properties,
  semantic_id: described(
    optional(featureId),
    'Id of one feature to delete; absent = those of `semantic_ids`.',
    EXAMPLE_UID,
  ),
  semantic_ids: described(
    byDefault(listOf(featureId, { max: 'MAX_IDS_PER_DELETE' }), []),
    'Ids of features to delete. At least one id is required, here or in `semantic_id`.',
    [EXAMPLE_UID],
  ),
}) {}

/** @throws AppError `invalid_request` when the body names no id */
export function toRemoveFeatures(
  body: DeleteFeaturesBody,
  organization: OrganizationAccess,
  idempotency: IdempotencyToken | undefined,
): RemoveFeaturesRequest {
  const { semantic_id, semantic_ids } = body;
  const featureIds = [...new Set(semantic_id === undefined ? semantic_ids : [semantic_id, ...semantic_ids])];
  if (featureIds.length === 0) {
    const msg = 'At least one id is required, in semantic_id or semantic_ids';
    throw invalid('invalid_request', [{ loc: ['body', 'semantic_ids'], msg, type: 'too_short' }]);
  }
  return { tenant: tenantOf(body), organization, featureIds, idempotency };
}
