import { FEATURE_ORIGINS, FEATURE_TRUSTS, type Feature } from '@loci/contracts';
import { described } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { type ExplanationAnswer, explanationAnswer, fromExplanation } from '../wire/explanation.wire.js';
import { authorAnswer, fromAuthor } from '../wire/author.wire.js';
import { EXAMPLE_INSTANT, EXAMPLE_SET_ID, EXAMPLE_UID } from '../wire/examples.js';
import { wireInstant } from '../wire/instant.wire.js';
import { fromValidity, validityAnswer } from '../wire/validity.wire.js';

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
    author: described(
      Type.Optional(authorAnswer),
      'The caller that wrote, imported or accepted it; absent when a model did all of it, or when that was not noted.',
    ),
    model: Type.Optional(
      Type.String({
        description: 'Name of the language model that worded it, as registered; absent when a client did.',
      }),
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

/** Meaning and words have other weights than those of messages. */
const EXAMPLE_EXPLANATION: ExplanationAnswer = {
  parts: [
    { name: 'meaning', raw: 0.644, rank: 2, weight: 0.7, contribution: 0.358 },
    { name: 'words', raw: 6.2, rank: 1, weight: 0.3, contribution: 0.161 },
  ],
  sum: 0.519,
};

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
    expires_at: Type.Optional(
      described(
        Type.String(),
        'When it expires unless it is said again; absent where its category has no time to live.',
        EXAMPLE_INSTANT,
      ),
    ),
    recorded_at: Type.Optional(
      described(
        Type.String(),
        'When what it says was stored; absent when that was not noted.',
        EXAMPLE_INSTANT,
      ),
    ),
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
    pinned: Type.Optional(
      Type.Literal(true, { description: 'A client has pinned it; absent where none has.' }),
    ),
    single_valued: Type.Optional(
      Type.Boolean({
        description: 'Whether its name can have one value at a time; absent where nothing says so.',
      }),
    ),
    conflicts_with: Type.Optional(
      described(
        Type.Array(Type.String()),
        'Ids of features that contradict it: of the same name, and with another value, where one value holds at a time, or of any tag and name of its category, where a consolidation found it. At most 20; absent where none does.',
        [EXAMPLE_UID],
      ),
    ),
    score: Type.Optional(
      described(
        Type.Number(),
        'How well it fits the query, 0 to 1: comparable between queries, sets and embedders. Absent in all answers but that of a search.',
        0.83,
      ),
    ),
    explanation: described(
      Type.Optional(explanationAnswer),
      'What the score is made of: meaning and words, ranked in the set of the feature. Absent unless a search asks to explain, and for a pinned feature that it did not find.',
      EXAMPLE_EXPLANATION,
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
  ...(feature.expiresAt !== undefined && { expires_at: wireInstant(feature.expiresAt) }),
  ...(feature.recordedAt !== undefined && { recorded_at: wireInstant(feature.recordedAt) }),
  trust: feature.trust,
  origin: fromOrigin(feature.origin),
  metadata: {
    id: feature.featureId,
    ...(citations.length > 0 && { citations: [...citations] }),
    ...(Object.keys(metadata).length > 0 && { other: metadata }),
  },
  ...(feature.isPinned === true && { pinned: true as const }),
  ...(feature.isSingleValued !== undefined && { single_valued: feature.isSingleValued }),
  ...(feature.conflictsWith && { conflicts_with: [...feature.conflictsWith] }),
  ...(feature.score !== undefined && { score: feature.score }),
  ...(feature.explanation && { explanation: fromExplanation(feature.explanation) }),
});
