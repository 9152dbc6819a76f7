import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { expiresAt } from './expiry.js';

/**
 * Features as they are to be, whether they were there, were deleted, or are new. Parameter: the rows as JSON.
 */
export const SAVE_FEATURES = sql({
  name: 'save_features',
  text: `
INSERT INTO ${SCHEMA}.features (uid, set_uid, org_id, project_uid, subject, category, tag, name, value, metadata, by_client,
                         created_at, is_trusted, source_project_uid, origin, valid_from, valid_from_precision,
                         valid_until, valid_until_precision, superseded_by, dates, recorded_at, is_pinned, is_single_valued, contradicts, expires_at)
SELECT uid, set_uid, org_id, project_uid, subject, category, tag, name, value, metadata, by_client,
       coalesce(created_at, now()), is_trusted, source_project_uid, origin, valid_from, valid_from_precision,
       valid_until, valid_until_precision, superseded_by, dates, recorded_at, is_pinned, is_single_valued, contradicts,
       ${expiresAt('given', 'given.said_at')}
FROM jsonb_to_recordset($1::jsonb) AS given(
  uid uuid, set_uid uuid, org_id text, project_uid uuid, subject text, category text, tag text, name text, value text,
  metadata jsonb, by_client boolean, created_at timestamptz, is_trusted boolean, source_project_uid uuid, origin jsonb,
  valid_from timestamptz, valid_from_precision text, valid_until timestamptz, valid_until_precision text,
  superseded_by uuid, dates jsonb, recorded_at timestamptz, is_pinned boolean, is_single_valued boolean, contradicts uuid[],
  said_at timestamptz)
ON CONFLICT (uid, set_uid) DO UPDATE SET
  subject = excluded.subject, category = excluded.category, tag = excluded.tag, name = excluded.name, value = excluded.value,
  metadata = excluded.metadata, by_client = excluded.by_client, is_trusted = excluded.is_trusted,
  source_project_uid = excluded.source_project_uid, origin = excluded.origin,
  valid_from = excluded.valid_from, valid_from_precision = excluded.valid_from_precision,
  valid_until = excluded.valid_until, valid_until_precision = excluded.valid_until_precision,
  superseded_by = excluded.superseded_by, dates = excluded.dates, recorded_at = excluded.recorded_at,
  is_pinned = excluded.is_pinned, is_pin_by_client = features.is_pin_by_client AND features.is_pinned = excluded.is_pinned,
  is_single_valued = excluded.is_single_valued, contradicts = excluded.contradicts,
  expires_at = excluded.expires_at, revision = features.revision + 1,
  updated_at = now(), deleted_at = NULL, indexed_at = NULL, ordered_at = NULL, carried_to = NULL`,
});
