import { type SemanticPart } from '@loci/contracts';
import { firstWithinBytes } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { ownersIn, type RowOwner, rowsOwnedBy } from '../projects/visible-rows.js';

const instant = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const SET_NAME = `jsonb_build_object('isOrgLevel', sets.project_uid IS NULL, 'tags', sets.tag_values,
  'id', CASE WHEN sets.is_made_up THEN sets.id END)`;

const PROMPT = `'name', categories.name, 'prompt', categories.prompt, 'description', categories.description,
  'ttlSeconds', categories.ttl_seconds,
  'tags', (SELECT coalesce(jsonb_agg(jsonb_build_object('name', name, 'description', description) ORDER BY uid), '[]')
           FROM ${SCHEMA}.category_tags WHERE category_uid = categories.uid)`;

const DISABLED = `FROM ${SCHEMA}.disabled_categories WHERE disabled_categories.set_uid = sets.uid`;

const CITED_IN_PROJECT = `FROM ${SCHEMA}.citations
  WHERE citations.set_uid = features.set_uid AND citations.feature_uid = features.uid AND citations.project_uid = $2`;

/**
 * For each kind of part the rows that a project takes along of an owner: the part as the contract has it, and its sort keys.
 * A set needs mentioning only where a client chose something for it: everything else of it follows from its name.
 * @param features SQL condition for the features
 */
const partQueries = (owner: RowOwner, features: string): Readonly<Record<SemanticPart, string>> => ({
  setTypes: `
    SELECT uid, created_at, jsonb_build_object(
      'isOrgLevel', project_uid IS NULL, 'tags', tags, 'name', name, 'description', description) AS part
    FROM ${SCHEMA}.set_types WHERE ${rowsOwnedBy(owner, 'set_types')}`,
  templates: `
    SELECT categories.uid, categories.created_at, jsonb_build_object(
      'setType', jsonb_build_object('isOrgLevel', set_types.project_uid IS NULL, 'tags', set_types.tags), ${PROMPT}) AS part
    FROM ${SCHEMA}.categories JOIN ${SCHEMA}.set_types ON set_types.uid = categories.set_type_uid
    WHERE ${rowsOwnedBy(owner, 'categories')}`,
  sets: `
    SELECT uid, created_at, ${SET_NAME} || jsonb_build_object(
      'embedderName', embedder_name, 'llmName', llm_name,
      'disabledCategories', to_jsonb(array(SELECT name ${DISABLED} ORDER BY name))) AS part
    FROM ${SCHEMA}.sets
    WHERE ${rowsOwnedBy(owner, 'sets')} AND (embedder_name IS NOT NULL OR llm_name IS NOT NULL OR EXISTS (SELECT ${DISABLED}))`,
  categories: `
    SELECT categories.uid, categories.created_at, jsonb_build_object('set', ${SET_NAME}, ${PROMPT}) AS part
    FROM ${SCHEMA}.categories JOIN ${SCHEMA}.sets ON sets.uid = categories.set_uid
    WHERE ${rowsOwnedBy(owner, 'categories')}`,
  features: `
    SELECT features.uid, features.created_at, jsonb_build_object(
      'sourceUid', features.uid, 'set', ${SET_NAME}, 'subject', features.subject, 'category', features.category, 'tag', features.tag,
      'name', features.name, 'value', features.value, 'metadata', features.metadata, 'byClient', features.by_client,
      'isTrusted', features.is_trusted, 'origin', features.origin, 'isPinned', CASE WHEN features.is_pinned THEN true END,
      'isSingleValued', features.is_single_valued,
      'createdAt', ${instant('features.created_at')}, 'recordedAt', ${instant('features.recorded_at')},
      'dates', (SELECT jsonb_agg(jsonb_build_object(
                  'bound', date->'bound', 'at', date->'at', 'precision', date->'precision',
                  'episode', date->'episodeUid', 'supersededBy', date->'supersededBy'))
                FROM jsonb_array_elements(features.dates) AS date
                WHERE date->>'projectUid' IS NULL OR (date->>'projectUid')::uuid = $2),
      'contradicts', CASE WHEN $2 IN (features.project_uid, features.source_project_uid) THEN to_jsonb(features.contradicts) END,
      'citations', to_jsonb(array(SELECT episode_uid ${CITED_IN_PROJECT} ORDER BY created_at, episode_uid))) AS part
    FROM ${SCHEMA}.features JOIN ${SCHEMA}.sets ON sets.uid = features.set_uid
    WHERE ${rowsOwnedBy(owner, 'features')} AND features.deleted_at IS NULL
      AND (features.project_uid = $2 OR features.by_client OR EXISTS (SELECT ${CITED_IN_PROJECT})) AND ${features}`,
});

/** What of a kind is read, and from where on. */
interface PageOf {
  readonly features: string;
  readonly goesOn: boolean;
}

const firstOf = (owner: RowOwner, part: SemanticPart, { features, goesOn }: PageOf): string => `
  SELECT * FROM (${partQueries(owner, features)[part]}) AS parts
  ${goesOn ? 'WHERE (created_at, uid) > ($5::timestamptz, $6::uuid)' : ''}
  ORDER BY created_at, uid LIMIT $3`;

/**
 * One page of a kind. Parameters: 1 and 2 as above, 3 the limit, 4 the bytes, then the position to go on behind, if there is
 * one. What is of the organization and what is of the project are two indexes, each of which is read from that position on.
 */
export const pageOf = (scope: Pick<Scope, 'organization'>, part: SemanticPart, page: PageOf): string =>
  firstWithinBytes({
    page: `SELECT * FROM (${ownersIn(scope)
      .map((owner) => `(${firstOf(owner, part, page)})`)
      .join(' UNION ALL ')}) AS parts
           ORDER BY created_at, uid LIMIT $3`,
    columns: `uid, ${instant('created_at')} AS at, jsonb_strip_nulls(part) AS part`,
    bytes: 'octet_length(part::text)',
    order: ['created_at', 'uid'],
    maxBytes: '$4',
  });
