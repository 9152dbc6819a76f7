import {
  DATE_PRECISIONS,
  FEATURE_ORIGINS,
  type Instant,
  MAX_CATEGORY_TAGS,
  MAX_FEATURE_CITATIONS,
  MAX_FEATURE_CONTRADICTIONS,
  MAX_FEATURE_DATES,
  MAX_FEATURE_METADATA_KEYS,
  SOURCE_UID_MAX_LENGTH,
  type TransferredCategory,
  type TransferredTag,
} from '@loci/contracts';
import {
  boolean,
  byDefault,
  filledText,
  listOf,
  nullAsAbsent,
  nullish,
  oneOf,
  parsedFrom,
  text,
  textMap,
  Unreadable,
} from '@loci/platform/schema';
import { type Static } from 'typebox';
import { AddCategoryBody, AddTagBody } from '../semantic-categories/semantic-categories.wire.js';
import { AddFeatureBody } from '../semantic-features/semantic-features.wire.js';
import { ConfigureSetBody, CreateSetTypeBody } from '../semantic-sets/semantic-sets.wire.js';
import { wireInstant } from '../wire/instant.wire.js';
import { METADATA_LIMITS } from '../wire/schema/metadata-limits.js';
import { moment } from '../wire/schema/moment.js';
import { request } from '../wire/schema/request.js';
import { type PartLines, partLines } from './part-lines.js';
import {
  disabledNames,
  fromSetName,
  fromSetTypeName,
  setName,
  SetNameLine,
  SetTypeNameLine,
  toSetName,
  toSetTypeName,
} from './set-names.wire.js';

const type = CreateSetTypeBody.schema.properties;
const category = AddCategoryBody.schema.properties;
const tag = AddTagBody.schema.properties;
const settings = ConfigureSetBody.schema.properties;
const feature = AddFeatureBody.schema.properties;

/** A feature has the keys and the citations of all adds and messages that said it: more than one add may give. */
const allMetadata = textMap({ ...METADATA_LIMITS, maxKeys: MAX_FEATURE_METADATA_KEYS });
const allCitations = listOf(text('MAX_LABEL_CHARS'), { max: MAX_FEATURE_CITATIONS });

class SetTypeLine extends request('SetTypeLine', {
  ...SetTypeNameLine.schema.properties,
  name: type.name,
  description: type.description,
}) {}

class TagLine extends request('TagLine', {
  name: tag.tag_name,
  description: byDefault(tag.tag_description, ''),
}) {}

class PromptLine extends request('PromptLine', {
  name: category.category_name,
  prompt: category.prompt,
  description: category.description,
  ttl_seconds: category.ttl_seconds,
  tags: byDefault(listOf(TagLine.schema, { max: MAX_CATEGORY_TAGS }), []),
}) {}

class TemplateLine extends request('TemplateLine', {
  ...PromptLine.schema.properties,
  set_type: SetTypeNameLine.schema,
}) {}

class CategoryLine extends request('CategoryLine', {
  ...PromptLine.schema.properties,
  set: setName,
}) {}

class SetLine extends request('SetLine', {
  ...SetNameLine.schema.properties,
  embedder_name: settings.embedder_name,
  llm_name: settings.llm_name,
  disabled_categories: byDefault(disabledNames, []),
}) {}

class OriginLine extends request('OriginLine', {
  kind: oneOf(FEATURE_ORIGINS),
  model: settings.llm_name,
}) {}

class DateLine extends request('DateLine', {
  bound: oneOf(['from', 'until']),
  at: moment,
  precision: oneOf(DATE_PRECISIONS),

  /** Uid of the episode that says so, as the lines of the same file name it; absent = a client. */
  episode: nullish(filledText(SOURCE_UID_MAX_LENGTH)),

  /** Uid of the feature that replaced it then, as the lines of the same file name it. */
  superseded_by: nullish(filledText(SOURCE_UID_MAX_LENGTH)),
}) {}

type Dates = readonly Static<(typeof DateLine)['schema']>[];
const dates = listOf(DateLine.schema, { max: MAX_FEATURE_DATES });

const NEGATIVE = Unreadable.as({
  type: 'value_error',
  msg: 'The last until without an episode should not be before the last from without one: nothing ends before it begins',
});

/** What clients say can be told from the line; what messages say depends on which of them are there. */
const possibleDates = parsedFrom<Dates, typeof dates>(dates, dates, (given) => {
  const last = (bound: 'from' | 'until'): string | undefined =>
    given.findLast((date) => date.bound === bound && date.episode === undefined)?.at;
  const [from, until] = [last('from'), last('until')];
  return from !== undefined && until !== undefined && until < from ? NEGATIVE : given;
});

class FeatureLine extends request('FeatureLine', {
  uid: filledText(SOURCE_UID_MAX_LENGTH),
  set: setName,

  /** Whom it is about; absent = the user whose set it is, if it is the set of one. */
  subject: feature.subject,
  category: feature.category_name,
  tag: feature.tag,
  feature_name: feature.feature,
  value: feature.value,
  metadata: byDefault(nullAsAbsent(allMetadata), {}),

  /** Whether a client wrote it, or a part of it: then it stands without citations too. */
  by_client: byDefault(boolean, true),

  /** Whether the messages that it was drawn from are of trusted producers. */
  trusted: byDefault(boolean, true),

  /** Who determined last what it says; the author is always who imports it. Absent = the import. */
  origin: nullish(OriginLine.schema),

  /** Whether it comes first where pinned features do. Absent = no. */
  pinned: feature.pinned,

  /** Whether its name has one value at a time. Absent = nothing says so. */
  single_valued: feature.single_valued,

  /** Absent = now. */
  created_at: nullish(moment),

  /** When what it says was stored; absent = as `created_at`. */
  recorded_at: nullish(moment),

  /** What was said of when it holds; it did not hold any more at the moment of `until`. */
  dates: nullish(possibleDates),

  /** Uids of the features that it was found to contradict, as the lines of the same file name them. */
  contradicts: nullish(listOf(filledText(SOURCE_UID_MAX_LENGTH), { max: MAX_FEATURE_CONTRADICTIONS })),

  /** Uids of episodes, as the lines of the same file name them. */
  citations: byDefault(nullAsAbsent(allCitations), []),
}) {}

type Prompt = Omit<TransferredCategory, 'set'>;

const fromPrompt = ({ name, prompt, description, ttlSeconds, tags }: Prompt): PromptLine => ({
  name,
  prompt,
  description,
  ttl_seconds: ttlSeconds,
  tags: tags.map((tag) => ({ name: tag.name, description: tag.description })),
});
const toPrompt = ({ name, prompt, description, ttl_seconds, tags }: PromptLine): Prompt => ({
  name,
  prompt,
  description,
  ttlSeconds: ttl_seconds,
  tags: tags.map((tag): TransferredTag => ({ name: tag.name, description: tag.description })),
});

/** What a message is learned from has to be there before the messages. */
export const STRUCTURE_LINES: readonly PartLines[] = [
  partLines('set_type', 'setTypes', {
    shape: SetTypeLine,
    from: ({ name, description, ...type }) => ({ ...fromSetTypeName(type), name, description }),
    to: ({ name, description, ...line }) => ({ ...toSetTypeName(line), name, description }),
  }),
  partLines('category_template', 'templates', {
    shape: TemplateLine,
    from: ({ setType, ...template }) => ({ set_type: fromSetTypeName(setType), ...fromPrompt(template) }),
    to: ({ set_type, ...line }) => ({ setType: toSetTypeName(set_type), ...toPrompt(line) }),
  }),
  partLines('set', 'sets', {
    shape: SetLine,
    from: ({ embedderName, llmName, disabledCategories, ...set }) => ({
      ...fromSetName(set),
      embedder_name: embedderName,
      llm_name: llmName,
      disabled_categories: disabledCategories,
    }),
    to: ({ embedder_name, llm_name, disabled_categories, ...line }) => ({
      ...toSetName(line),
      embedderName: embedder_name,
      llmName: llm_name,
      disabledCategories: disabled_categories,
    }),
  }),
  partLines('category', 'categories', {
    shape: CategoryLine,
    from: ({ set, ...category }) => ({ set: fromSetName(set), ...fromPrompt(category) }),
    to: ({ set, ...line }) => ({ set: toSetName(set), ...toPrompt(line) }),
  }),
];

/** Features come after the messages that they cite. */
export const FEATURE_LINES = partLines('feature', 'features', {
  shape: FeatureLine,
  from: ({
    sourceUid,
    set,
    name,
    byClient,
    isTrusted = true,
    isPinned,
    isSingleValued,
    origin,
    createdAt,
    recordedAt,
    dates,
    ...feature
  }) => ({
    uid: sourceUid,
    set: fromSetName(set),
    subject: feature.subject,
    category: feature.category,
    tag: feature.tag,
    feature_name: name,
    value: feature.value,
    metadata: feature.metadata,
    by_client: byClient,
    trusted: isTrusted,
    pinned: isPinned,
    single_valued: isSingleValued,
    origin: origin && { kind: origin.kind, model: origin.model },
    created_at: createdAt && (wireInstant(createdAt) as Instant),
    recorded_at: recordedAt && (wireInstant(recordedAt) as Instant),
    dates: dates?.map(({ at, supersededBy, ...date }) => ({
      ...date,
      at: wireInstant(at) as Instant,
      superseded_by: supersededBy,
    })),
    contradicts: feature.contradicts,
    citations: feature.citations,
  }),
  to: ({
    uid,
    set,
    feature_name,
    by_client,
    trusted,
    pinned,
    single_valued,
    origin,
    created_at,
    recorded_at,
    dates,
    ...line
  }) => ({
    sourceUid: uid,
    set: toSetName(set),
    subject: line.subject,
    category: line.category,
    tag: line.tag,
    name: feature_name,
    value: line.value,
    ...(origin && { origin: { kind: origin.kind, model: origin.model ?? undefined } }),
    metadata: line.metadata,
    byClient: by_client,
    isTrusted: trusted,
    isPinned: pinned,
    isSingleValued: single_valued,
    createdAt: created_at,
    recordedAt: recorded_at ?? undefined,
    dates: dates?.map(({ superseded_by, ...date }) => ({ ...date, supersededBy: superseded_by })),
    contradicts: line.contradicts ?? undefined,
    citations: line.citations,
  }),
});

export const SEMANTIC_LINES: readonly PartLines[] = [...STRUCTURE_LINES, FEATURE_LINES];
