import { type Author, type ChangeOriginKind, type Instant } from '@loci/contracts';
import { boundedRow, narrowed, sql, withinBytes } from '@loci/persistence';
import { instantText } from '../database.js';
import { type Scope } from '../projects/project.js';
import { type SetChange } from './feature-history.js';
import { CHANGE, inSet } from './history-rows.js';

/** About what a change has in an answer beside its features, and each of these. */
const BYTES_OF_CHANGE = 300;
const BYTES_OF_FEATURE = 70;

/**
 * Newest first: uids of changes are sorted by time. What belongs to a change is read of those on the page alone.
 * Parameters: organization, project, the set, limit, offset, the most bytes of a page, and with `hasBegun` the change behind
 * which to begin.
 */
export const listSetChanges = (scope: Pick<Scope, 'organization'>, hasBegun: boolean) => {
  const page = withinBytes({
    page: `SELECT ${CHANGE} AS uid, count(*) AS entries ${inSet(scope)} ${hasBegun ? `AND ${CHANGE} < $7` : ''}
           GROUP BY 1 ORDER BY 1 DESC LIMIT $4 OFFSET $5`,
    columns: 'uid',
    bytes: `${BYTES_OF_CHANGE} + ${BYTES_OF_FEATURE} * entries`,
    maxBytes: '$6',
  });
  return sql({
    text: `
SELECT page.page_bytes, page.uid, told.* FROM (${page}) AS page CROSS JOIN LATERAL (
  SELECT min(origin) AS origin, min(job_id) AS job_id, min(model) AS model, (array_agg(author ORDER BY uid))[1] AS author,
         ${instantText('min(at)')} AS at,
         jsonb_agg(jsonb_build_object('featureUid', feature_uid, 'action', action) ORDER BY uid) AS features
  ${inSet(scope)} AND ${CHANGE} = page.uid) AS told
ORDER BY page.uid DESC`,
    row: boundedRow({
      uid: 'uuid',
      origin: narrowed<ChangeOriginKind>('text'),
      job_id: 'text?',
      model: 'text?',
      author: narrowed<Author | null>('jsonb?'),
      at: narrowed<Instant>('text'),
      features: narrowed<SetChange['features']>('jsonb'),
    }),
  });
};
