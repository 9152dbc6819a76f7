import { type DatePrecision, type Dated, type FeatureOrigin, type Instant } from '@loci/contracts';
import { narrowed, rowColumns, type RowOf } from '@loci/persistence';
import { instantText, SCHEMA } from '../database.js';
import { USER } from '../sets/set-identity.js';
import { CONFLICTS_WITH } from './conflicts.js';
import { lastSaidOf } from './expiry.js';
import { type FACT_ROW } from './facts-by-uid.sql.js';
import { originOf, trustOf } from './feature-origins.js';
import {
  type Citation,
  type Feature,
  type FeatureFact,
  type FeatureName,
  type FeatureRecord,
  type SoughtFeature,
} from './feature.js';
import { type DateStatement, validityOf } from './validity.js';

/** The columns of `FEATURE_COLUMNS`. */
export const FEATURE_ROW = rowColumns({
  uid: 'uuid',
  set_uid: 'uuid',
  set_id: 'text',
  subject: 'text?',
  category: 'text',
  tag: 'text',
  name: 'text',
  value: 'text',
  metadata: narrowed<Readonly<Record<string, string>>>('jsonb'),
  revision: 'int4',
  by_client: 'bool',
  is_trusted: 'bool',
  origin: narrowed<FeatureOrigin | null>('jsonb?'),
  valid_from: narrowed<Instant | null>('text?'),
  valid_from_precision: narrowed<DatePrecision | null>('text?'),
  valid_until: narrowed<Instant | null>('text?'),
  valid_until_precision: narrowed<DatePrecision | null>('text?'),
  superseded_by: 'uuid?',
  recorded_at: narrowed<Instant>('text'),
  is_pinned: 'bool',
  expires_at: narrowed<Instant | null>('text?'),
  is_single_valued: 'bool?',
  conflicts_with: 'uuid[]',
});

export type FeatureRow = RowOf<typeof FEATURE_ROW>;

/** When what a feature says was stored. */
export const RECORDED_AT = 'coalesce(features.recorded_at, features.created_at)';

export const FEATURE_COLUMNS = `features.uid, features.set_uid, sets.id AS set_id, features.subject, features.category,
  features.tag, features.name, features.value, features.metadata, features.revision, features.by_client, features.is_trusted,
  features.origin, ${instantText('features.valid_from')} AS valid_from, features.valid_from_precision,
  ${instantText('features.valid_until')} AS valid_until, features.valid_until_precision, features.superseded_by,
  ${instantText(RECORDED_AT)} AS recorded_at, features.is_pinned,
  ${instantText('features.expires_at')} AS expires_at, features.is_single_valued, ${CONFLICTS_WITH} AS conflicts_with`;

/** The size of a FeatureRow, about: each names its set, whose id has up to `MAX_SET_TAGS_CHARS`. */
export const FEATURE_BYTES = [
  'value',
  'metadata::text',
  'set_id',
  'category',
  'tag',
  'name',
  'subject',
  'origin::text',
]
  .map((column) => `coalesce(octet_length(${column}), 0)`)
  .join(' + ');

export const FROM_FEATURES = `FROM ${SCHEMA}.features JOIN ${SCHEMA}.sets ON sets.uid = features.set_uid`;

export const toFeature = (row: FeatureRow): Feature => ({
  uid: row.uid,
  setUid: row.set_uid,
  setId: row.set_id,
  subject: row.subject ?? undefined,
  category: row.category,
  tag: row.tag,
  name: row.name,
  value: row.value,
  metadata: row.metadata,
  revision: row.revision,
  trust: trustOf({ byClient: row.by_client, isTrusted: row.is_trusted }),
  origin: originOf(row.origin, row.by_client),
  validFrom: toDated(row.valid_from, row.valid_from_precision),
  validUntil: toDated(row.valid_until, row.valid_until_precision),
  supersededBy: row.superseded_by ?? undefined,
  recordedAt: row.recorded_at,
  isPinned: row.is_pinned,
  expiresAt: row.expires_at ?? undefined,
  isSingleValued: row.is_single_valued ?? undefined,
  conflictsWith: row.conflicts_with,
});

const toDated = (at: Instant | null, precision: DatePrecision | null): Dated | undefined =>
  at && precision ? { at, precision } : undefined;

/** A citation as JSON. */
export interface CitationRow {
  readonly episode_uid: string;
  readonly project_uid: string;
  readonly producer_id: string;
  readonly producer_role: string;
  readonly produced_for_id: string;
  readonly created_at: Instant;
  readonly added_at: Instant | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly is_bound: boolean;
}

/** The columns of `RECORD_COLUMNS`. */
export const RECORD_ROW = rowColumns({
  uid: 'uuid',
  set_uid: 'uuid',
  org_id: 'text',
  project_uid: 'uuid?',
  subject: 'text?',
  category: 'text',
  tag: 'text',
  name: 'text',
  value: 'text',
  metadata: narrowed<Readonly<Record<string, string>>>('jsonb'),
  by_client: 'bool',
  is_trusted: 'bool',
  source_project_uid: 'uuid?',
  origin: narrowed<FeatureOrigin | null>('jsonb?'),
  dates: narrowed<readonly DateStatement[] | null>('jsonb?'),
  recorded_at: narrowed<Instant>('text'),
  expires_at: narrowed<Instant | null>('text?'),
  is_pinned: 'bool',
  is_pin_by_client: 'bool',
  is_single_valued: 'bool?',
  contradicts: 'uuid[]?',
  citations: narrowed<readonly CitationRow[]>('jsonb'),
});

/** A feature with its citations; instants leave the database as text, because a Date would drop the microseconds. */
export const RECORD_COLUMNS = `uid, set_uid, org_id, project_uid, subject, category, tag, name, value, metadata, by_client, is_trusted,
  source_project_uid, origin, dates, ${instantText(RECORDED_AT)} AS recorded_at, ${instantText('features.expires_at')} AS expires_at,
  is_pinned, is_pin_by_client, is_single_valued, contradicts,
  (SELECT coalesce(jsonb_agg(jsonb_build_object(
     'episode_uid', episode_uid, 'project_uid', cited.project_uid, 'producer_id', producer_id,
     'producer_role', producer_role, 'produced_for_id', produced_for_id, 'metadata', cited.metadata,
     'created_at', ${instantText('cited.created_at')},
     'added_at', ${instantText('cited.added_at')}, 'is_bound', is_bound
   ) ORDER BY cited.created_at, episode_uid), '[]')
   FROM ${SCHEMA}.citations cited
   WHERE cited.set_uid = features.set_uid AND cited.feature_uid = features.uid) AS citations`;

/** What JSON adds to one citation, about. */
const BYTES_OF_CITATION = 300;

/** About the bytes of a feature with its citations. @param table name or alias of the table in the statement */
export const recordBytes = (table: string): string =>
  `octet_length(${table}.value) + octet_length(${table}.metadata::text) + coalesce(octet_length(${table}.dates::text), 0) + (
    SELECT coalesce(sum(octet_length(cited.metadata::text) + octet_length(producer_id) + octet_length(produced_for_id)
      + ${BYTES_OF_CITATION}), 0)
    FROM ${SCHEMA}.citations cited WHERE cited.set_uid = ${table}.set_uid AND cited.feature_uid = ${table}.uid)`;

export const toFact = (row: RowOf<typeof FACT_ROW>): FeatureFact => ({
  uid: row.uid,
  setUid: row.set_uid,
  orgId: row.org_id,
  projectUid: row.project_uid ?? undefined,
  subject: row.subject ?? undefined,
  metadata: row.user_id === null ? {} : { [USER]: row.user_id },
});

export const toRecord = (row: RowOf<typeof RECORD_ROW>): FeatureRecord => ({
  uid: row.uid,
  setUid: row.set_uid,
  orgId: row.org_id,
  projectUid: row.project_uid ?? undefined,
  subject: row.subject ?? undefined,
  category: row.category,
  tag: row.tag,
  name: row.name,
  value: row.value,
  metadata: row.metadata,
  byClient: row.by_client,
  isTrusted: row.is_trusted,
  sourceProjectUid: row.source_project_uid ?? undefined,
  origin: originOf(row.origin, row.by_client),
  dates: row.dates ?? undefined,
  recordedAt: row.recorded_at,
  expiresAt: row.expires_at ?? undefined,
  isPinned: row.is_pinned,
  isPinByClient: row.is_pin_by_client,
  isSingleValued: row.is_single_valued ?? undefined,
  contradicts: row.contradicts ?? undefined,
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
  ...(row.is_bound && { isBound: true }),
});

/** What `records_to_change` finds features by. */
export const toName = ({
  setUid,
  subject,
  category,
  tag,
  name,
  isTrusted,
  sourceProjectUid,
}: FeatureName) => ({
  set_uid: setUid,
  subject,
  category,
  tag,
  name,
  is_trusted: isTrusted,
  source_project_uid: sourceProjectUid,
});

/** The same of what features say. */
export const toSought = (sought: SoughtFeature) => ({
  ...toName(sought),
  value: sought.value,
  since: sought.since,
});

/** A row of `features` as JSON. */
export const toRow = (record: FeatureRecord) => ({
  ...toName(record),
  ...toValidityRow(record),
  uid: record.uid,
  org_id: record.orgId,
  project_uid: record.projectUid,
  value: record.value,
  metadata: record.metadata,
  by_client: record.byClient,
  origin: record.origin,
  created_at: record.createdAt,
  is_pinned: record.isPinned ?? false,
  is_single_valued: record.isSingleValued,
  contradicts: record.contradicts,
  said_at: lastSaidOf(record),
});

function toValidityRow({ dates, recordedAt }: FeatureRecord) {
  const { validFrom, validUntil, supersededBy } = validityOf(dates);
  return {
    valid_from: validFrom?.at,
    valid_from_precision: validFrom?.precision,
    valid_until: validUntil?.at,
    valid_until_precision: validUntil?.precision,
    superseded_by: supersededBy,
    dates,
    recorded_at: recordedAt,
  };
}

/** A row of `citations` as JSON. */
export const toCitationRow = (
  { uid, setUid }: Pick<FeatureRecord, 'uid' | 'setUid'>,
  citation: Citation,
): CitationRow & { readonly feature_uid: string; readonly set_uid: string } => ({
  feature_uid: uid,
  set_uid: setUid,
  episode_uid: citation.episodeUid,
  project_uid: citation.projectUid,
  producer_id: citation.producerId,
  producer_role: citation.producerRole,
  produced_for_id: citation.producedForId,
  created_at: citation.createdAt,
  added_at: citation.addedAt ?? null,
  metadata: citation.metadata,
  is_bound: citation.isBound === true,
});
