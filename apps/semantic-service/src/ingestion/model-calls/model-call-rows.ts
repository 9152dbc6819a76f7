import { type Instant } from '@loci/contracts';
import { type ChatMessage } from '@loci/models';
import { narrowed, rowColumns, type RowOf } from '@loci/persistence';
import { instantText, SCHEMA } from '../../database.js';
import { type Scope } from '../../projects/project.js';
import { type CallDetails, type CallKind, type ListedCall, type MadeFeature } from './model-call.js';

/** Columns of `SUMMARY_COLUMNS`. */
const SUMMARY = {
  uid: 'uuid',
  set_id: 'text',
  kind: narrowed<CallKind>('text'),
  categories: 'text[]',
  model: 'text',
  code: 'text?',
  reason: 'text?',
  replies: 'int4',
  input_tokens: 'int4',
  output_tokens: 'int4',
  cost: 'float8?',
  duration_ms: 'int4',
  messages: 'int4',
  features: 'int4',
  begun_at: narrowed<Instant>('text'),
} as const;

export const LISTED_ROW = rowColumns(SUMMARY);

export const DETAILS_ROW = rowColumns({
  ...SUMMARY,
  read_uids: 'uuid[]',
  made: narrowed<readonly MadeFeature[]>('jsonb'),
  prompt: narrowed<readonly ChatMessage[] | null>('jsonb?'),
  reply: 'text?',
  is_cut: 'bool',
  expires_at: narrowed<Instant>('text'),
});

export const SUMMARY_COLUMNS = `call.uid, sets.id AS set_id, call.kind, call.categories, call.model, call.code, call.reason,
  call.replies, call.input_tokens, call.output_tokens, call.cost::float8 AS cost, call.duration_ms,
  cardinality(call.read_uids) AS messages, jsonb_array_length(call.made) AS features,
  ${instantText('call.begun_at')} AS begun_at`;

export const DETAILS_COLUMNS = `${SUMMARY_COLUMNS}, call.read_uids, call.made, call.prompt, call.reply, call.is_cut,
  ${instantText('call.expires_at')} AS expires_at`;

/**
 * SQL: calls that show messages of a project; those of sets of the organization only to who may see these. Parameters 1 and 2:
 * organization and project.
 */
export const fromCalls = ({ organization }: Pick<Scope, 'organization'>): string => `
FROM ${SCHEMA}.model_calls AS call JOIN ${SCHEMA}.sets ON sets.uid = call.set_uid
WHERE call.org_id = $1 AND call.project_uid = $2::uuid AND call.expires_at > now()
  ${organization === 'none' ? 'AND sets.project_uid = call.project_uid' : ''}`;

/** Parameters 3 to 6: public id of a set, whether failed, from and until when; null = any. */
export const WANTED_CALLS = `AND ($3::text IS NULL OR sets.id = $3) AND ($4::boolean IS NULL OR (call.code IS NOT NULL) = $4)
  AND ($5::timestamptz IS NULL OR call.begun_at >= $5) AND ($6::timestamptz IS NULL OR call.begun_at < $6)`;

export const toListed = (row: RowOf<typeof LISTED_ROW>): ListedCall => ({
  uid: row.uid,
  setId: row.set_id,
  kind: row.kind,
  categories: row.categories,
  model: row.model,
  failure: row.code === null ? undefined : { code: row.code, reason: row.reason ?? '' },
  replies: row.replies,
  inputTokens: row.input_tokens,
  outputTokens: row.output_tokens,
  cost: row.cost ?? undefined,
  durationMs: row.duration_ms,
  messages: row.messages,
  features: row.features,
  begunAt: row.begun_at,
});

export const toDetails = (row: RowOf<typeof DETAILS_ROW>): CallDetails => ({
  ...toListed(row),
  readUids: row.read_uids,
  made: row.made,
  prompt: row.prompt ?? undefined,
  reply: row.reply ?? undefined,
  isCut: row.is_cut,
  expiresAt: row.expires_at,
});
