import { type Instant } from '@loci/contracts';
import { narrowed, rowColumns } from '@loci/persistence';
import { instantText, SCHEMA } from '../../database.js';
import { type Scope } from '../../projects/project.js';
import { visibleRows } from '../../projects/visible-rows.js';
import { type RefusedCommand } from '../extraction/extraction-reply.js';

const PROGRESS = `${SCHEMA}.ingestion_progress`;

/** SQL. Parameters 1 and 2: organization and project. */
export const selectLetters = (scope: Pick<Scope, 'organization'>): string => `
SELECT letter.uid, sets.id AS set_id, letter.project_uid IS NULL AS is_org_level, letter.category, letter.code,
       letter.reason, letter.failures, ${instantText('letter.created_at')} AS at,
       ARRAY(SELECT episode_uid FROM ${PROGRESS} JOIN ${SCHEMA}.ingestion_messages USING (set_uid, episode_uid)
             WHERE letter_uid = letter.uid AND project_uid = $2::uuid ORDER BY episode_uid) AS episode_uids,
       -- they may be drawn from any of the messages
       CASE WHEN NOT EXISTS (
         SELECT FROM ${PROGRESS} JOIN ${SCHEMA}.ingestion_messages USING (set_uid, episode_uid)
         WHERE letter_uid = letter.uid AND project_uid IS DISTINCT FROM $2::uuid) THEN letter.commands END AS commands
FROM ${SCHEMA}.ingestion_dead_letters AS letter JOIN ${SCHEMA}.sets ON sets.uid = letter.set_uid
WHERE ${visibleRows(scope, 'letter')}`;

/** The columns of `selectLetters`. */
export const LETTER_ROW = rowColumns({
  uid: 'uuid',
  set_id: 'text',
  is_org_level: 'bool',
  category: 'text',
  code: 'text',
  reason: 'text',
  failures: 'int4',
  at: narrowed<Instant>('text'),
  episode_uids: 'uuid[]',
  commands: narrowed<RefusedCommand[] | null>('jsonb?'),
});
