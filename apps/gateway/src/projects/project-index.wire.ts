import {
  type FeatureIndex,
  INDEX_STATES,
  type IndexSpaceProgress,
  type ProjectIndex,
  type SetSpacesProgress,
} from '@loci/contracts';
import { type Static, Type } from 'typebox';
import { nullable } from '../wire/answers.js';

const spaceAnswer = Type.Object(
  {
    embedder: Type.String(),
    fingerprint: Type.String({
      description: 'What makes vectors comparable: model, dimensions, preparation.',
    }),
    dimensions: Type.Integer(),
    indexed: Type.Integer({ description: 'Episodes that have a vector there.' }),
  },
  { title: 'IndexSpace' },
);
type SpaceAnswer = Static<typeof spaceAnswer>;

const stateAnswer = (what: string) =>
  Type.Enum([...INDEX_STATES], {
    description: `\`ready\`: searches use the vectors of all ${what}; \`indexing\`: of all but some; \`moving\`: to another embedder, searches use the former one; \`waiting\`: for an embedder that is not ready.`,
  });

const setSpacesAnswer = Type.Object(
  {
    ...spaceAnswer.properties,
    indexed: Type.Integer({ description: 'Features that have a vector there.' }),
    sets: Type.Integer({ description: 'Sets that have vectors there.' }),
  },
  { title: 'SetSpaces' },
);
type SetSpacesAnswer = Static<typeof setSpacesAnswer>;

const featureIndexAnswer = Type.Object(
  {
    state: stateAnswer('features'),
    embedder: Type.String({ description: 'The one that sets should use that name none.' }),
    features: Type.Integer(),
    active: Type.Array(setSpacesAnswer, { description: 'What searches use, by embedder.' }),
    target: Type.Array(setSpacesAnswer, { description: 'What sets move to, by embedder.' }),
    problem: nullable(Type.String()),
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
    active: nullable(spaceAnswer),
    target: nullable(spaceAnswer),
    problem: nullable(Type.String()),
    features: featureIndexAnswer,
  },
  { title: 'ProjectIndex' },
);
export type ProjectIndexAnswer = Static<typeof projectIndexAnswer>;

const fromSpace = (space: IndexSpaceProgress | undefined): SpaceAnswer | null =>
  space
    ? {
        embedder: space.embedder,
        fingerprint: space.fingerprint,
        dimensions: space.dimensions,
        indexed: space.indexed,
      }
    : null;

const fromSetSpaces = (spaces: SetSpacesProgress): SetSpacesAnswer => ({
  embedder: spaces.embedder,
  fingerprint: spaces.fingerprint,
  dimensions: spaces.dimensions,
  indexed: spaces.indexed,
  sets: spaces.sets,
});

export const fromProjectIndex = (index: ProjectIndex, features: FeatureIndex): ProjectIndexAnswer => ({
  state: index.state,
  embedder: index.embedder,
  episodes: index.episodes,
  active: fromSpace(index.active),
  target: fromSpace(index.target),
  problem: index.problem ?? null,
  features: {
    state: features.state,
    embedder: features.embedder,
    features: features.features,
    active: features.active.map(fromSetSpaces),
    target: features.target.map(fromSetSpaces),
    problem: features.problem ?? null,
  },
});
