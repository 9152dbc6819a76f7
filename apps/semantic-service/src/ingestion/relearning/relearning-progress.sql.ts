import { type Instant } from '@loci/contracts';
import { narrowed, sql } from '@loci/persistence';
import { instantText, SCHEMA } from '../../database.js';
import { RELEARNING_STATE } from '../backlog/relearning-position.sql.js';
import { IS_RELEARNABLE } from './relearnable.js';

/** Parameter: the project. No row when its messages were never ordered to be learned again. */
export const RELEARNING_PROGRESS = sql({
  text: `
SELECT ${instantText('state.started_at')} AS started_at, ${instantText('state.put_back_at')} AS put_back_at,
       (SELECT count(*) FROM ${SCHEMA}.features
        WHERE project_uid = $1 AND created_at <= state.started_at AND ${IS_RELEARNABLE})::int AS features,
       (SELECT count(*) FROM ${SCHEMA}.ingestion_messages AS message
        JOIN ${SCHEMA}.ingestion_jobs AS job USING (set_uid)
        WHERE job.project_uid = $1 AND message.project_uid = $1 AND message.done_at IS NULL
          AND message.added_at <= state.started_at)::int AS messages
FROM ${RELEARNING_STATE} AS state`,
  row: {
    started_at: narrowed<Instant>('text'),
    put_back_at: narrowed<Instant | null>('text?'),
    features: 'int4',
    messages: 'int4',
  },
});
