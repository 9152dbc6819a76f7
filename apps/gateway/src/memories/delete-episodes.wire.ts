import { type IdempotencyToken, invalid, type RemoveEpisodesRequest } from '@loci/contracts';
import { byDefault, filledText, listOf, optional, described } from '@loci/platform/schema';
import { request } from '../wire/schema/request.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import { EXAMPLE_UID } from '../wire/examples.js';

/**
 * An id that the client got from us or made up. Only an empty one is refused here: any other that breaks the identifier
 * rule cannot name anything, so it is answered like every id that is not there (api-contract §0 rows 8 and 9).
 */
const episodeId = filledText('MAX_LABEL_CHARS');

export class DeleteEpisodesBody extends request('DeleteEpisodesSpec', {
  ...TenantBody.schema.properties,
  episodic_id: described(
    optional(episodeId),
    'Uid of one episode to delete; absent = those of `episodic_ids`.',
    EXAMPLE_UID,
  ),
  episodic_ids: described(
    byDefault(listOf(episodeId, { max: 'MAX_IDS_PER_DELETE' }), []),
    'Uids of episodes to delete. At least one id is required, here or in `episodic_id`.',
    [EXAMPLE_UID],
  ),
}) {}

/** @throws AppError `invalid_request` when the body names no id */
export function toRemoveEpisodes(
  body: DeleteEpisodesBody,
  idempotency: IdempotencyToken | undefined,
): RemoveEpisodesRequest {
  const { episodic_id, episodic_ids } = body;
  const uids = [...new Set(episodic_id === undefined ? episodic_ids : [episodic_id, ...episodic_ids])];
  if (uids.length === 0) {
    const msg = 'At least one id is required, in episodic_id or episodic_ids';
    throw invalid('invalid_request', [{ loc: ['body', 'episodic_ids'], msg, type: 'too_short' }]);
  }
  return { tenant: tenantOf(body), uids, idempotency };
}
