import { type Filter, type FilterField, type SystemField } from '@loci/contracts';
import { type FieldColumns, filterToSql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { USER } from '../sets/set-identity.js';
import { TRUST_SQL } from './feature-origins.js';
import { RECORDED_AT } from './feature-rows.js';

/** The name of a project, which is what a session is; none at the level of the organization. */
const sessionKey = (projectUid: string): string =>
  `(SELECT org_id || '/' || project_id FROM ${SCHEMA}.projects WHERE projects.uid = ${projectUid})`;

/** The category of a feature, where a client made it: that of its set before a template. */
const OWN_CATEGORY = `FROM ${SCHEMA}.categories LEFT JOIN ${SCHEMA}.set_types
    ON set_types.uid = categories.set_type_uid
  WHERE categories.name = features.category AND (categories.set_uid = features.set_uid
    OR (set_types.tags = sets.tags AND set_types.org_id = sets.org_id
        AND set_types.project_uid IS NOT DISTINCT FROM sets.project_uid))
  ORDER BY categories.set_uid NULLS LAST LIMIT 1`;

/** What the filter language calls the parts of a feature. */
const FEATURE_FIELDS: FieldColumns = {
  metadata: 'features.metadata',
  fields: {
    uid: { sql: 'features.uid::text', type: 'text' },
    set_id: { sql: 'sets.id', type: 'text' },
    category_name: { sql: 'features.category', type: 'text' },
    category_id: { sql: `(SELECT categories.uid::text ${OWN_CATEGORY})`, type: 'text' },
    tag_id: {
      sql: `(SELECT min(tags.uid::text) FROM ${SCHEMA}.category_tags tags
             WHERE tags.name = features.tag AND tags.category_uid = (SELECT categories.uid ${OWN_CATEGORY}))`,
      type: 'text',
    },
    tag: { sql: 'features.tag', type: 'text' },
    session_key: { sql: sessionKey('features.project_uid'), type: 'text' },
    feature_name: { sql: 'features.name', type: 'text' },
    value: { sql: 'features.value', type: 'text' },
    subject: { sql: 'features.subject', type: 'text' },
    trust: { sql: `(${TRUST_SQL})`, type: 'text' },
    created_at: { sql: 'features.created_at', type: 'instant' },
    updated_at: { sql: 'features.updated_at', type: 'instant' },
    recorded_at: { sql: RECORDED_AT, type: 'instant' },
    valid_from: { sql: 'features.valid_from', type: 'instant' },
    valid_until: { sql: 'features.valid_until', type: 'instant' },
    superseded_by: { sql: 'features.superseded_by::text', type: 'text' },
  },
};

/** What a feature says through an episode that it cites. */
const CITATION_FIELDS: FieldColumns = {
  metadata: 'cited.metadata',
  fields: {
    producer_id: { sql: 'cited.producer_id', type: 'text' },
    producer_role: { sql: 'cited.producer_role', type: 'text' },
    produced_for_id: { sql: 'cited.produced_for_id', type: 'text' },
    session_key: { sql: sessionKey('cited.project_uid'), type: 'text' },
    episode_type: { constant: 'message' },
  },
};

const CITED_FIELDS = new Set<SystemField>([
  'producer_id',
  'producer_role',
  'produced_for_id',
  'session_key',
  'episode_type',
]);

/** Whose memory the cited episode belongs to: the same as `userOf`. */
const CITED_USER = `CASE WHEN cited.is_bound THEN cited.producer_id ELSE coalesce(nullif(cited.metadata->>'${USER}', ''),
  CASE WHEN cited.producer_role = 'assistant' THEN nullif(cited.produced_for_id, '') END, cited.producer_id) END`;

/** What an author who speaks for one producer writes is found by no other user. */
const NAMES_ITS_USER = `(NOT cited.is_bound OR cited.metadata->>'${USER}' = cited.producer_id)`;

const CITED = `SELECT FROM ${SCHEMA}.citations cited
  WHERE cited.set_uid = features.set_uid AND cited.feature_uid = features.uid`;

const SUBJECT: FilterField = { kind: 'system', name: 'subject' };

const UID: FilterField = { kind: 'system', name: 'uid' };

/** Answers show the id of a feature as `metadata.id`, and OpenClaw asks for features by that name. */
const isShownId = (field: FilterField): boolean => field.kind === 'metadata' && field.key === 'id';

export interface Predicate {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/**
 * The filter as a predicate over rows of `features` joined with `sets`, parameters numbered from `firstParameter`. A test
 * of metadata or of a producer is true when the feature's own metadata fulfils it or an episode that it cites does (api-contract
 * §0 row 15). Of a feature with a subject, the user is the subject, and the producers are those of messages of the
 * subject: what others say about a user is found by the field `subject` alone.
 */
export function matching(filter: Filter | undefined, firstParameter: number): Predicate {
  if (!filter) return { sql: 'TRUE', parameters: [] };
  const parameters: unknown[] = [];
  return { sql: compile(filter, firstParameter, parameters), parameters };
}

function compile(filter: Filter, first: number, parameters: unknown[]): string {
  switch (filter.op) {
    case 'and':
    case 'or': {
      if (filter.args.length === 0) return filter.op === 'and' ? 'TRUE' : 'FALSE';
      const args = filter.args.map((arg) => compile(arg, first, parameters));
      return `(${args.join(filter.op === 'and' ? ' AND ' : ' OR ')})`;
    }
    case 'not':
      return `(NOT ${compile(filter.arg, first, parameters)})`;
    case 'compare':
    case 'in':
    case 'present':
      return compileTest(filter, first, parameters);
  }
}

function compileTest(
  filter: Extract<Filter, { field: unknown }>,
  first: number,
  parameters: unknown[],
): string {
  const test = (columns: FieldColumns): string => {
    const { sql, parameters: own } = filterToSql(filter, columns, first + parameters.length);
    parameters.push(...own);
    return sql;
  };
  const { field } = filter;
  const isCited = field.kind === 'metadata' || CITED_FIELDS.has(field.name);
  const own = test(FEATURE_FIELDS);
  if (!isCited) return own;
  const cited = test(CITATION_FIELDS);
  if (field.kind === 'metadata' && field.key === USER) {
    const isAbout = compile({ ...filter, field: SUBJECT }, first, parameters);
    return `((features.subject IS NULL AND (${own} OR EXISTS (${CITED} AND ${NAMES_ITS_USER} AND ${cited}))) OR (${mayBe(filter, first, parameters)} AND ${isAbout}
      AND (features.by_client OR EXISTS (${CITED} AND ${CITED_USER} = features.subject))))`;
  }
  if (field.kind === 'system' && field.name === 'producer_id') {
    return `EXISTS (${CITED} AND ${cited} AND (features.subject IS NULL OR ${CITED_USER} = features.subject))`;
  }
  const named = isShownId(field) ? `${compile({ ...filter, field: UID }, first, parameters)} OR ` : '';
  return `(${named}${own} OR EXISTS (${CITED} AND ${cited}))`;
}

/** What an index on subjects can decide of a test of the user; TRUE where it cannot. */
function mayBe(filter: Extract<Filter, { field: unknown }>, first: number, parameters: unknown[]): string {
  if (filter.op !== 'compare' || filter.comparison !== '=' || filter.value.type !== 'string')
    return 'features.subject IS NOT NULL';
  parameters.push(filter.value.value);
  return `features.subject = $${first + parameters.length - 1}`;
}
