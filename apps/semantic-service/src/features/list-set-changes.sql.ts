import { type Author, type ChangeOriginKind, type Instant } from '@loci/contracts';
import { narrowed, sql } from '@loci/persistence';
import { instantText } from '../database.js';
import { type Scope } from '../projects/project.js';
import { type SetChange } from './feature-history.js';
import { CHANGE, inSet } from './history-rows.js';

/** Newest first: uids of changes are sorted by time. Parameters: organization, project, the set, limit, offset. */
export const listSetChanges = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `
SELECT ${CHANGE} AS change_uid, min(origin) AS origin, min(job_id) AS job_id, min(model) AS model,
       (array_agg(author ORDER BY uid))[1] AS author, ${instantText('min(at)')} AS at,
       jsonb_agg(jsonb_build_object('featureUid', feature_uid, 'action', action) ORDER BY uid) AS features
${inSet(scope)} GROUP BY 1 ORDER BY 1 DESC LIMIT $4 OFFSET $5`,
    row: {
      change_uid: 'uuid',
      origin: narrowed<ChangeOriginKind>('text'),
      job_id: 'text?',
      model: 'text?',
      author: narrowed<Author | null>('jsonb?'),
      at: narrowed<Instant>('text'),
      features: narrowed<SetChange['features']>('jsonb'),
    },
  });
