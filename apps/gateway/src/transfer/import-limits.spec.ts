import { expect, test } from '@jest/globals';
import {
  MAX_CATEGORY_TAGS,
  MAX_DISABLED_CATEGORIES,
  MAX_FEATURE_CITATIONS,
  MAX_FEATURE_CONTRADICTIONS,
  MAX_FEATURE_DATES,
  MAX_FEATURE_METADATA_KEYS,
  MAX_INGESTED_CATEGORIES,
  MAX_INGESTED_SETS,
  SOURCE_UID_MAX_LENGTH,
} from '@loci/contracts';
import { filledText, integer, listOf, rulesOf, text, textMap } from '@loci/platform/schema';
import { type TSchema } from 'typebox';
import { ConfigureEpisodicBody } from '../episodic-settings/episodic-settings.wire.js';
import { AddMemoriesBody, MessageBody } from '../memories/add-memories.wire.js';
import { CreateProjectBody } from '../projects/project.wire.js';
import {
  AddCategoryBody,
  AddTagBody,
  DisableCategoryBody,
} from '../semantic-categories/semantic-categories.wire.js';
import { AddFeatureBody } from '../semantic-features/semantic-features.wire.js';
import { ConfigureSetBody, CreateSetTypeBody, GetSetIdBody } from '../semantic-sets/semantic-sets.wire.js';
import { METADATA_LIMITS } from '../wire/schema/metadata-limits.js';
import { SEMANTIC_LINES } from './semantic-lines.wire.js';
import { EpisodeLine, FORMAT, ProjectLine } from './transfer-lines.wire.js';

const PROJECT = CreateProjectBody.schema.properties;
const MESSAGE = MessageBody.schema.properties;
const TYPE = CreateSetTypeBody.schema.properties;
const CATEGORY = AddCategoryBody.schema.properties;
const TAG = AddTagBody.schema.properties;
const SET = GetSetIdBody.schema.properties;
const SETTINGS = ConfigureSetBody.schema.properties;
const FEATURE = AddFeatureBody.schema.properties;
const disabled = DisableCategoryBody.schema.properties.category_name;
const sourceUid = filledText(SOURCE_UID_MAX_LENGTH);

const nameOfSet = (at: string): Record<string, TSchema> => ({
  [`${at}tags`]: SET.set_metadata,
  [`${at}id`]: SETTINGS.set_id,
});

const promptOf = (line: string): Record<string, TSchema> => ({
  [`${line}.name`]: CATEGORY.category_name,
  [`${line}.prompt`]: CATEGORY.prompt,
  [`${line}.description`]: CATEGORY.description,
  [`${line}.ttl_seconds`]: CATEGORY.ttl_seconds,
  [`${line}.tags`]: listOf(text(1), { max: MAX_CATEGORY_TAGS }),
  [`${line}.tags[].name`]: TAG.tag_name,
  [`${line}.tags[].description`]: TAG.tag_description,
});

/** What of a line can be long or large, and the field of the direct route whose bounds it has; a bound of its own where no route has it. */
const DIRECT: Readonly<Record<string, TSchema>> = {
  'project.format': integer({ min: 1, max: FORMAT }),
  'project.description': PROJECT.description,
  'project.episodic_memory.ttl_seconds': ConfigureEpisodicBody.schema.properties.ttl_seconds,
  'episode.uid': sourceUid,
  'episode.content': MESSAGE.content,
  'episode.producer_id': MESSAGE.producer,
  'episode.producer_role': MESSAGE.role,
  'episode.produced_for_id': MESSAGE.produced_for,
  'episode.types': AddMemoriesBody.schema.properties.types,
  'episode.metadata': MESSAGE.metadata,
  ...nameOfSet('episode.ingested[].'),
  'episode.ingested': listOf(text(1), { max: MAX_INGESTED_SETS }),
  'episode.ingested[].categories': listOf(disabled, { max: MAX_INGESTED_CATEGORIES }),
  'episode.ingested[].categories[]': disabled,
  'set_type.tags': TYPE.metadata_tags,
  'set_type.tags[]': text(128),
  'set_type.name': TYPE.name,
  'set_type.description': TYPE.description,
  'category_template.set_type.tags': TYPE.metadata_tags,
  'category_template.set_type.tags[]': text(128),
  ...promptOf('category_template'),
  ...nameOfSet('set.'),
  'set.embedder_name': SETTINGS.embedder_name,
  'set.llm_name': SETTINGS.llm_name,
  'set.disabled_categories': listOf(disabled, { max: MAX_DISABLED_CATEGORIES }),
  'set.disabled_categories[]': disabled,
  ...nameOfSet('category.set.'),
  ...promptOf('category'),
  'feature.uid': sourceUid,
  ...nameOfSet('feature.set.'),
  'feature.subject': FEATURE.subject,
  'feature.category': FEATURE.category_name,
  'feature.tag': FEATURE.tag,
  'feature.feature_name': FEATURE.feature,
  'feature.value': FEATURE.value,
  'feature.origin.model': SETTINGS.llm_name,
  // a feature has the keys, citations and dates of all that became one with it: what the product holds of them at most
  'feature.metadata': textMap({ ...METADATA_LIMITS, maxKeys: MAX_FEATURE_METADATA_KEYS }),
  'feature.citations': listOf(text(1), { max: MAX_FEATURE_CITATIONS }),
  'feature.citations[]': text('MAX_LABEL_CHARS'),
  'feature.dates': listOf(text(1), { max: MAX_FEATURE_DATES }),
  'feature.dates[].episode': sourceUid,
  'feature.dates[].superseded_by': sourceUid,
  'feature.contradicts': listOf(text(1), { max: MAX_FEATURE_CONTRADICTIONS }),
  'feature.contradicts[]': sourceUid,
};

/** Bounded by nothing but the size of the line, in the direct route by that of the body. */
const OF_THE_LINE = /^project\.config\..*$/;

const KEYWORDS = ['maxLength', 'maxItems', 'maxProperties', 'maximum', 'minLength', 'minimum', 'pattern'];

/** What a schema demands of the size of a value. */
const boundsOf = (schema: TSchema): object => {
  const given: Record<string, unknown> = { ...schema, ...schemaOf(schema) };
  return {
    ...Object.fromEntries(KEYWORDS.flatMap((one) => (one in given ? [[one, given[one]]] : []))),
    limits: rulesOf(schema).limits ?? {},
    refined: Array.isArray(given['~refine']) ? given['~refine'].length : 0,
    ...(given['propertyNames'] !== undefined && { key: boundsOf(given['propertyNames'] as TSchema) }),
    ...(isSchema(given['additionalProperties']) && { value: boundsOf(given['additionalProperties']) }),
  };
};

interface Parts {
  readonly type?: string;
  readonly enum?: unknown;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
}

const schemaOf = (schema: TSchema): Parts => schema;
const isSchema = (value: unknown): value is TSchema => typeof value === 'object' && value !== null;

/** The fields of a line whose values have a size, and the items of lists. */
function sized(schema: TSchema, path: string): [string, TSchema][] {
  const { type, properties, items, enum: choices } = schemaOf(schema);
  if (properties)
    return Object.entries(properties).flatMap(([name, field]) => sized(field, `${path}.${name}`));
  if (items) {
    const inside = sized(items, `${path}[]`);
    return [[path, schema], ...inside];
  }
  return type === 'boolean' || choices !== undefined || rulesOf(schema).parse ? [] : [[path, schema]];
}

const LINES: readonly (readonly [string, TSchema])[] = [
  ['project', ProjectLine.schema],
  ['episode', EpisodeLine.schema],
  ...SEMANTIC_LINES.map(({ kind, shape }) => [kind, shape.schema] as const),
];

const FIELDS = LINES.flatMap(([kind, schema]) => sized(schema, kind));

test.each(FIELDS.filter(([path]) => !OF_THE_LINE.test(path)))(
  'an import takes no more in %s than the direct route',
  (path, schema) => {
    const direct = DIRECT[path];
    if (!direct) throw new Error(`Say in this table which direct route bounds ${path}.`);
    expect(boundsOf(schema)).toEqual(boundsOf(direct));
  },
);

test('every field of the table is one of a line', () => {
  const paths = new Set(FIELDS.map(([path]) => path));
  expect(Object.keys(DIRECT).filter((path) => !paths.has(path))).toEqual([]);
});
