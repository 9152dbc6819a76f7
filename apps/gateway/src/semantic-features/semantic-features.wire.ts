import {
  type AddFeatureRequest,
  CHANGE_ACTIONS,
  CHANGE_ORIGINS,
  FEATURE_ORIGINS,
  FEATURE_TRUSTS,
  type Feature,
  type FeatureChangeRecord,
  type FeatureState,
  type IdempotencyToken,
  type UpdateFeatureRequest,
  type OrganizationAccess,
} from '@loci/contracts';
import {
  boolean,
  byDefault,
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
import { instantText, nullable, textMap as textMapAnswer } from '../wire/answers.js';
import { wireInstant } from '../wire/instant.wire.js';
import { jsonTexts } from '../wire/schema/json-texts.js';
import { request } from '../wire/schema/request.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';

const METADATA_LIMITS = {
  maxKeys: 'MAX_METADATA_KEYS',
  maxKeyChars: 128,
  maxChars: 'MAX_METADATA_VALUE_CHARS',
} as const;

const id = text('MAX_LABEL_CHARS');
const label = filledText('MAX_LABEL_CHARS');

export class AddFeatureBody extends request('AddFeatureSpec', {
  ...TenantBody.schema.properties,
  set_id: setId,
  category_name: label,
  tag: label,
  feature: label,
  value: text('MAX_CONTENT_CHARS'),
  subject: nullish(
    withKeywords(text('MAX_LABEL_CHARS'), {
      description:
        'Whom it is about: the id of a user; empty = no one in particular. Absent = the `user_id` in its metadata, else the user whose set it is.',
    }),
  ),
  feature_metadata: byDefault(nullAsAbsent(jsonTexts(METADATA_LIMITS)), {}),

  /** Uids of episodes of the project. */
  citations: byDefault(nullAsAbsent(listOf(id, { max: 'MAX_IDS_PER_DELETE' })), []),
}) {}

export class FeatureIdBody extends request('FeatureIdSpec', {
  ...TenantBody.schema.properties,
  feature_id: id,
}) {}

export class GetFeatureBody extends request('GetFeatureSpec', {
  ...FeatureIdBody.schema.properties,
  load_citations: byDefault(boolean, false),
}) {}

/** Absent = unchanged. */
export class UpdateFeatureBody extends request('UpdateFeatureSpec', {
  ...FeatureIdBody.schema.properties,
  category_name: nullish(label),
  tag: nullish(label),
  feature: nullish(label),
  value: nullish(text('MAX_CONTENT_CHARS')),

  /** Replaces all of it. */
  metadata: nullish(textMap(METADATA_LIMITS)),
}) {}

export class UndoFeatureBody extends request('UndoFeatureSpec', {
  ...FeatureIdBody.schema.properties,
  /** The change to go back behind; absent = the latest. */
  change_id: nullish(id),
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
  idempotency,
});

export const featureIdAnswer = Type.Object({ feature_id: Type.String() }, { title: 'FeatureId' });
export type FeatureIdAnswer = Static<typeof featureIdAnswer>;

const trustAnswer = Type.Enum([...FEATURE_TRUSTS], {
  description:
    '`protected`: a client wrote or corrected it, and no model changes it. `trusted`: it was drawn from messages of trusted producers. `untrusted`: from messages of others. The filter field `trust` chooses by it.',
});

const originAnswer = Type.Object(
  {
    kind: Type.Enum([...FEATURE_ORIGINS]),
    author: Type.Optional(authorAnswer),
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

const fromSubject = (subject: string | undefined): { subject?: string } =>
  subject === undefined ? {} : { subject };

/** A feature of semantic memory as search, list and get show it. */
export const featureAnswer = Type.Object(
  {
    set_id: Type.String(),
    category: Type.String(),
    tag: Type.String(),
    feature_name: Type.String(),
    value: Type.String(),
    subject: subjectAnswer,
    trust: trustAnswer,
    origin: originAnswer,
    metadata: Type.Object(
      {
        id: Type.String(),
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
  trust: feature.trust,
  origin: fromOrigin(feature.origin),
  metadata: {
    id: feature.featureId,
    ...(citations.length > 0 && { citations: [...citations] }),
    ...(Object.keys(metadata).length > 0 && { other: metadata }),
  },
});

const stateAnswer = Type.Object(
  {
    category: Type.String(),
    tag: Type.String(),
    feature_name: Type.String(),
    value: Type.String(),
    subject: subjectAnswer,
    metadata: textMapAnswer,
    trust: trustAnswer,
    citations: Type.Array(Type.String()),
  },
  { title: 'FeatureState' },
);
type StateAnswer = Static<typeof stateAnswer>;

/** One thing that happened to a feature. */
const changeAnswer = Type.Object(
  {
    change_id: Type.String(),
    action: Type.Enum([...CHANGE_ACTIONS]),
    origin: Type.Enum([...CHANGE_ORIGINS]),
    job_id: nullable(Type.String()),
    model: nullable(Type.String()),
    author: nullable(authorAnswer),
    episodes: Type.Array(Type.String(), { description: 'Uids of the episodes that brought it about.' }),
    at: instantText,
    before: nullable(stateAnswer),
    after: nullable(stateAnswer),
  },
  {
    title: 'FeatureChange',
    description: '`before` is null when there was no such feature, `after` when there is none.',
  },
);
type ChangeAnswer = Static<typeof changeAnswer>;

export const historyAnswer = Type.Object({ changes: Type.Array(changeAnswer) }, { title: 'FeatureHistory' });
export type HistoryAnswer = Static<typeof historyAnswer>;

export const fromChange = (change: FeatureChangeRecord): ChangeAnswer => ({
  change_id: change.changeId,
  action: change.action,
  origin: change.origin,
  job_id: change.jobId ?? null,
  model: change.model ?? null,
  author: change.author ? fromAuthor(change.author) : null,
  episodes: [...change.episodes],
  at: wireInstant(change.at),
  before: change.before ? fromState(change.before) : null,
  after: change.after ? fromState(change.after) : null,
});

const fromState = ({ name, citations, ...state }: FeatureState): StateAnswer => ({
  category: state.category,
  tag: state.tag,
  feature_name: name,
  value: state.value,
  ...fromSubject(state.subject),
  metadata: state.metadata,
  trust: state.trust,
  citations: [...citations],
});
