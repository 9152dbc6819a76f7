import { type FeatureOrigin, type Instant } from '@loci/contracts';
import { narrowed, rowColumns, type RowOf } from '@loci/persistence';
import { instantText, SCHEMA } from '../database.js';
import { originOf, trustOf } from './feature-origins.js';
import { type Citation, type Feature, type FeatureRecord } from './feature.js';

/** The columns of `FEATURE_COLUMNS`. */
export const FEATURE_ROW = rowColumns({
  uid: 'uuid',
  set_uid: 'uuid',
  set_id: 'text',
  category: 'text',
  tag: 'text',
  name: 'text',
  value: 'text',
  metadata: narrowed<Readonly<Record<string, string>>>('jsonb'),
  revision: 'int4',
  by_client: 'bool',
  is_trusted: 'bool',
  origin: narrowed<FeatureOrigin | null>('jsonb?'),
});

export type FeatureRow = RowOf<typeof FEATURE_ROW>;

export const FEATURE_COLUMNS = `features.uid, features.set_uid, sets.id AS set_id, features.category, features.tag,
  features.name, features.value, features.metadata, features.revision, features.by_client, features.is_trusted,
  features.origin`;

/** The size of a FeatureRow, about. */
export const FEATURE_BYTES = 'octet_length(value) + octet_length(metadata::text)';

export const FROM_FEATURES = `FROM ${SCHEMA}.features JOIN ${SCHEMA}.sets ON sets.uid = features.set_uid`;

/** Holds for every feature that readers may see. */
export const IS_LIVE = 'features.deleted_at IS NULL';

export const toFeature = (row: FeatureRow): Feature => ({
  uid: row.uid,
  setUid: row.set_uid,
  setId: row.set_id,
  category: row.category,
  tag: row.tag,
  name: row.name,
  value: row.value,
  metadata: row.metadata,
  revision: row.revision,
  trust: trustOf({ byClient: row.by_client, isTrusted: row.is_trusted }),
  origin: originOf(row.origin, row.by_client),
});

interface CitationRow {
  readonly episode_uid: string;
  readonly project_uid: string;
  readonly producer_id: string;
  readonly producer_role: string;
  readonly produced_for_id: string;
  readonly created_at: Instant;
  readonly added_at: Instant | null;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface RecordRow {
  readonly uid: string;
  readonly set_uid: string;
  readonly org_id: string;
  readonly project_uid: string | null;
  readonly category: string;
  readonly tag: string;
  readonly name: string;
  readonly value: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly by_client: boolean;
  readonly is_trusted: boolean;
  readonly source_project_uid: string | null;
  readonly origin: FeatureOrigin | null;
  readonly citations: readonly CitationRow[];
}

/** The columns of a RecordRow; instants leave the database as text, because a Date would drop the microseconds. */
export const RECORD_COLUMNS = `uid, set_uid, org_id, project_uid, category, tag, name, value, metadata, by_client, is_trusted,
  source_project_uid, origin,
  (SELECT coalesce(jsonb_agg(jsonb_build_object(
     'episode_uid', episode_uid, 'project_uid', cited.project_uid, 'producer_id', producer_id,
     'producer_role', producer_role, 'produced_for_id', produced_for_id, 'metadata', cited.metadata,
     'created_at', ${instantText('cited.created_at')},
     'added_at', ${instantText('cited.added_at')}
   ) ORDER BY cited.created_at, episode_uid), '[]')
   FROM ${SCHEMA}.citations cited WHERE cited.feature_uid = features.uid) AS citations`;

export const toRecord = (row: RecordRow): FeatureRecord => ({
  uid: row.uid,
  setUid: row.set_uid,
  orgId: row.org_id,
  projectUid: row.project_uid ?? undefined,
  category: row.category,
  tag: row.tag,
  name: row.name,
  value: row.value,
  metadata: row.metadata,
  byClient: row.by_client,
  isTrusted: row.is_trusted,
  sourceProjectUid: row.source_project_uid ?? undefined,
  origin: originOf(row.origin, row.by_client),
  citations: row.citations.map(toCitation),
});

const toCitation = (row: CitationRow): Citation => ({
  episodeUid: row.episode_uid,
  projectUid: row.project_uid,
  producerId: row.producer_id,
  producerRole: row.producer_role,
  producedForId: row.produced_for_id,
  createdAt: row.created_at,
  addedAt: row.added_at ?? undefined,
  metadata: row.metadata,
});

/** What `jsonb_to_recordset` makes rows of `citations` from. */
export const toCitationRow = (citation: Citation): CitationRow => ({
  episode_uid: citation.episodeUid,
  project_uid: citation.projectUid,
  producer_id: citation.producerId,
  producer_role: citation.producerRole,
  produced_for_id: citation.producedForId,
  created_at: citation.createdAt,
  added_at: citation.addedAt ?? null,
  metadata: citation.metadata,
});
