import {
  type AddFeatureRequest,
  FEATURE_ORIGINS,
  FEATURE_TRUSTS,
  type Feature,
  type IdempotencyToken,
  type UpdateFeatureRequest,
  type OrganizationAccess,
} from '@loci/contracts';
import {
  boolean,
  byDefault,
  described,
  filledText,
  listOf,
  nullAsAbsent,
  nullish,
  text,
  textMap,
  withKeywords,
} from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { setId } from '../semantic-sets/semantic-sets.wire.js';
import { authorAnswer, fromAuthor } from '../wire/author.wire.js';
import { jsonTexts } from '../wire/schema/json-texts.js';
import { request } from '../wire/schema/request.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import { EXAMPLE_INSTANT, EXAMPLE_SET_ID, EXAMPLE_UID } from '../wire/examples.js';
import { wireInstant } from '../wire/instant.wire.js';
import { fromValidity, statedFields, statedValidity, validityAnswer } from '../wire/validity.wire.js';

const METADATA_LIMITS = {
  maxKeys: 'MAX_METADATA_KEYS',
  maxKeyChars: 128,
  maxChars: 'MAX_METADATA_VALUE_CHARS',
} as const;

const id = text('MAX_LABEL_CHARS');
const label = filledText('MAX_LABEL_CHARS');

export class AddFeatureBody extends request('AddFeatureSpec', {
  ...TenantBody.schema.properties,
  set_id: described(setId, 'Id of the set that gets the feature.', EXAMPLE_SET_ID),
  category_name: described(label, 'Name of a category of the set.', 'profile'),
  tag: described(label, 'Name of the tag: the group inside the category. It need not be declared.', 'travel'),
  feature: described(label, 'Name of the feature: what the value is about.', 'seat preference'),
  value: described(text('MAX_CONTENT_CHARS'), 'What is known.', 'prefers window seats'),
  subject: nullish(
    withKeywords(text('MAX_LABEL_CHARS'), {
      description:
        'Whom it is about: the id of a user; empty = no one in particular. Absent = the `user_id` in its metadata, else the user whose set it is.',
    }),
  ),
  feature_metadata: described(
    byDefault(nullAsAbsent(jsonTexts(METADATA_LIMITS)), {}),
    'What the client notes of it, for filters; values that are no texts are stored as JSON.',
    { source: 'crm' },
  ),
  ...statedFields,
  citations: described(
    byDefault(nullAsAbsent(listOf(id, { max: 'MAX_IDS_PER_DELETE' })), []),
    'Uids of the episodes of the project that it rests on.',
    [EXAMPLE_UID],
  ),
}) {}

export class FeatureIdBody extends request('FeatureIdSpec', {
  ...TenantBody.schema.properties,
  feature_id: described(id, 'Id of the feature.', EXAMPLE_UID),
}) {}

export class GetFeatureBody extends request('GetFeatureSpec', {
  ...FeatureIdBody.schema.properties,
  load_citations: described(
    byDefault(boolean, false),
    'Whether the answer names the episodes that the feature rests on.',
  ),
}) {}

/** Absent = unchanged. */
export class UpdateFeatureBody extends request('UpdateFeatureSpec', {
  ...FeatureIdBody.schema.properties,
  category_name: described(
    nullish(label),
    'Name of another category of the set. Absent or null = unchanged.',
    'profile',
  ),
  tag: described(nullish(label), 'Name of another tag. Absent or null = unchanged.', 'travel'),
  feature: described(
    nullish(label),
    'Another name of the feature. Absent or null = unchanged.',
    'seat preference',
  ),
  value: described(
    nullish(text('MAX_CONTENT_CHARS')),
    'What is known now. Absent or null = unchanged.',
    'prefers aisle seats',
  ),
  metadata: described(
    nullish(textMap(METADATA_LIMITS)),
    'What the client notes of it; replaces all of it. Absent or null = unchanged.',
    { source: 'crm' },
  ),
  ...statedFields,
}) {}

export class UndoFeatureBody extends request('UndoFeatureSpec', {
  ...FeatureIdBody.schema.properties,
  change_id: described(
    nullish(id),
    'The change to go back behind. Absent or null = the latest.',
    EXAMPLE_UID,
  ),
}) {}

export const toAddFeature = (
  body: AddFeatureBody,
  organization: OrganizationAccess,
  idempotency: IdempotencyToken | undefined,
): AddFeatureRequest => ({
  tenant: tenantOf(body),
  organization,
  setId: body.set_id,
  category: body.category_name,
  tag: body.tag,
  name: body.feature,
  value: body.value,
  subject: body.subject ?? body.feature_metadata['user_id'],
  metadata: body.feature_metadata,
  validity: statedValidity(body),
  citations: body.citations,
  idempotency,
});

export const toUpdateFeature = (
  body: UpdateFeatureBody,
  organization: OrganizationAccess,
  idempotency: IdempotencyToken | undefined,
): UpdateFeatureRequest => ({
  tenant: tenantOf(body),
  organization,
  featureId: body.feature_id,
  category: body.category_name,
  tag: body.tag,
  name: body.feature,
  value: body.value,
  metadata: body.metadata,
  validity: statedValidity(body),
  idempotency,
});

export const featureIdAnswer = Type.Object(
  { feature_id: described(Type.String(), 'Id of the feature.', EXAMPLE_UID) },
  { title: 'FeatureId' },
);
export type FeatureIdAnswer = Static<typeof featureIdAnswer>;

export const trustAnswer = Type.Enum([...FEATURE_TRUSTS], {
  description:
    '`protected`: a client wrote or corrected it, and no model changes it. `trusted`: it was drawn from messages of trusted producers. `untrusted`: from messages of others. The filter field `trust` chooses by it.',
});

const originAnswer = Type.Object(
  {
    kind: described(
      Type.Enum([...FEATURE_ORIGINS]),
      '`client`: a request wrote it; `ingestion`: it was drawn from messages; `consolidation`: features that said the same were merged; `import`: it came from a file.',
    ),
    author: described(Type.Optional(authorAnswer), 'The caller that wrote, imported or accepted it.'),
    model: Type.Optional(
      Type.String({ description: 'Name of the language model that worded it, as registered.' }),
    ),
  },
  {
    title: 'FeatureOrigin',
    description: 'Who determined last what it says; the messages behind it are its citations.',
  },
);

const subjectAnswer = Type.Optional(
  Type.String({
    description:
      'Whom it is about: the id of a user, or the name that messages give another person; empty = no one in particular; absent where nothing says. The filter field `subject` chooses by it.',
  }),
);

export const fromSubject = (subject: string | undefined): { subject?: string } =>
  subject === undefined ? {} : { subject };

/** What a feature says. */
export const contentAnswer = {
  category: described(Type.String(), 'Name of the category.', 'profile'),
  tag: described(Type.String(), 'Name of the tag: the group inside the category.', 'travel'),
  feature_name: described(Type.String(), 'Name of the feature: what the value is about.', 'seat preference'),
  value: described(Type.String(), 'What is known.', 'prefers window seats'),
  subject: subjectAnswer,
};

/** A feature of semantic memory as search, list and get show it. */
export const featureAnswer = Type.Object(
  {
    set_id: described(Type.String(), 'Id of the set that has it.', EXAMPLE_SET_ID),
    ...contentAnswer,
    ...validityAnswer,
    recorded_at: Type.Optional(described(Type.String(), 'When what it says was stored.', EXAMPLE_INSTANT)),
    trust: trustAnswer,
    origin: described(originAnswer, 'Who determined last what it says.'),
    metadata: described(
      Type.Object(
        {
          id: described(Type.String(), 'Id of the feature.', EXAMPLE_UID),
          citations: Type.Optional(
            Type.Array(Type.String(), {
              description:
                'Uids of the episodes that it rests on; absent when they were not asked for, or there are none.',
            }),
          ),
          other: Type.Optional(
            Type.Record(Type.String(), Type.String(), {
              description: 'What a client has noted of it; absent when empty.',
            }),
          ),
        },
        { title: 'FeatureMetadata' },
      ),
      'Its id, and what is noted of it.',
    ),
    score: Type.Optional(
      described(
        Type.Number(),
        'How well it fits the query, 0 to 1: comparable between queries, sets and embedders. Only in the answer of a search.',
        0.83,
      ),
    ),
  },
  { title: 'SemanticFeature' },
);
export type FeatureAnswer = Static<typeof featureAnswer>;

const fromOrigin = ({ kind, author, model }: Feature['origin']): Static<typeof originAnswer> => ({
  kind,
  ...(author && { author: fromAuthor(author) }),
  ...(model !== undefined && { model }),
});

export const fromFeature = ({ citations = [], metadata, ...feature }: Feature): FeatureAnswer => ({
  set_id: feature.setId,
  category: feature.category,
  tag: feature.tag,
  feature_name: feature.name,
  value: feature.value,
  ...fromSubject(feature.subject),
  ...fromValidity(feature.validity),
  ...(feature.recordedAt !== undefined && { recorded_at: wireInstant(feature.recordedAt) }),
  trust: feature.trust,
  origin: fromOrigin(feature.origin),
  metadata: {
    id: feature.featureId,
    ...(citations.length > 0 && { citations: [...citations] }),
    ...(Object.keys(metadata).length > 0 && { other: metadata }),
  },
  ...(feature.score !== undefined && { score: feature.score }),
});
