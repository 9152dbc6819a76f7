import {
  type FeatureIndex,
  INDEX_STATES,
  type IndexVersionProgress,
  type ProjectIndex,
  type SetIndexVersionsProgress,
} from '@loci/contracts';
import { described } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { nullable } from '../wire/answers.js';

const indexVersionAnswer = Type.Object(
  {
    embedder: described(Type.String(), 'Name of the embedder that made the vectors.', 'local'),
    fingerprint: Type.String({
      description: 'What makes vectors comparable: model, dimensions, preparation.',
    }),
    dimensions: described(Type.Integer(), 'Numbers in each vector.', 384),
    indexed: Type.Integer({ description: 'Episodes that have a vector there.' }),
  },
  { title: 'IndexSpace' },
);
type IndexVersionAnswer = Static<typeof indexVersionAnswer>;

const stateAnswer = (what: string) =>
  Type.Enum([...INDEX_STATES], {
    description: `\`ready\`: searches use the vectors of all ${what}; \`indexing\`: of all but some; \`moving\`: to another embedder, searches use the former one; \`waiting\`: for an embedder that is not ready.`,
  });

const setIndexVersionsAnswer = Type.Object(
  {
    ...indexVersionAnswer.properties,
    indexed: Type.Integer({ description: 'Features that have a vector there.' }),
    sets: Type.Integer({ description: 'Sets that have vectors there.' }),
  },
  { title: 'SetSpaces' },
);
type SetIndexVersionsAnswer = Static<typeof setIndexVersionsAnswer>;

const featureIndexAnswer = Type.Object(
  {
    state: stateAnswer('features'),
    embedder: Type.String({ description: 'The one that sets should use that name none.' }),
    features: described(Type.Integer(), 'Features of these sets.', 310),
    active: Type.Array(setIndexVersionsAnswer, { description: 'What searches use, by embedder.' }),
    target: Type.Array(setIndexVersionsAnswer, { description: 'What sets move to, by embedder.' }),
    problem: described(
      nullable(Type.String()),
      'What hinders the move or the indexing; null when nothing does.',
    ),
  },
  {
    title: 'FeatureIndex',
    description:
      'The vectors of the features of semantic memory, in the sets of the project and in those of its organization. Each set moves to another embedder on its own.',
  },
);

export const projectIndexAnswer = Type.Object(
  {
    state: stateAnswer('episodes'),
    embedder: Type.String({ description: 'The one that the project should use.' }),
    episodes: Type.Integer({ description: 'Episodes in long-term memory.' }),
    active: described(nullable(indexVersionAnswer), 'What searches use; null while nothing was indexed.'),
    target: described(nullable(indexVersionAnswer), 'What the project moves to; null when it does not move.'),
    problem: described(
      nullable(Type.String()),
      'What hinders the move or the indexing; null when nothing does.',
    ),
    unsupported_languages: described(
      Type.Array(Type.String()),
      'Languages of the newest 50 episodes, as ISO 639-1, on which the embedder was not trained: words find them, their meaning hardly does.',
    ),
    features: described(featureIndexAnswer, 'The same for the features of semantic memory.'),
  },
  { title: 'ProjectIndex' },
);
export type ProjectIndexAnswer = Static<typeof projectIndexAnswer>;

const fromIndexVersion = (indexVersion: IndexVersionProgress | undefined): IndexVersionAnswer | null =>
  indexVersion
    ? {
        embedder: indexVersion.embedder,
        fingerprint: indexVersion.fingerprint,
        dimensions: indexVersion.dimensions,
        indexed: indexVersion.indexed,
      }
    : null;

const fromSetIndexVersions = (indexVersions: SetIndexVersionsProgress): SetIndexVersionsAnswer => ({
  embedder: indexVersions.embedder,
  fingerprint: indexVersions.fingerprint,
  dimensions: indexVersions.dimensions,
  indexed: indexVersions.indexed,
  sets: indexVersions.sets,
});

export const fromProjectIndex = (index: ProjectIndex, features: FeatureIndex): ProjectIndexAnswer => ({
  state: index.state,
  embedder: index.embedder,
  episodes: index.episodes,
  active: fromIndexVersion(index.active),
  target: fromIndexVersion(index.target),
  problem: index.problem ?? null,
  unsupported_languages: [...(index.unsupportedLanguages ?? [])],
  features: {
    state: features.state,
    embedder: features.embedder,
    features: features.features,
    active: features.active.map(fromSetIndexVersions),
    target: features.target.map(fromSetIndexVersions),
    problem: features.problem ?? null,
  },
});
