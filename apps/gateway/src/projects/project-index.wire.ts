import { type IndexSpaceProgress, PROJECT_INDEX_STATES, type ProjectIndex } from '@loci/contracts';
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

export const projectIndexAnswer = Type.Object(
  {
    state: Type.Enum([...PROJECT_INDEX_STATES], {
      description:
        '`ready`: searches use the vectors of all episodes; `indexing`: of all but some; `moving`: to another embedder, searches use the former one; `waiting`: for an embedder that is not ready.',
    }),
    embedder: Type.String({ description: 'The one that the project should use.' }),
    episodes: Type.Integer({ description: 'Episodes in long-term memory.' }),
    active: nullable(spaceAnswer),
    target: nullable(spaceAnswer),
    problem: nullable(Type.String()),
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

export const fromProjectIndex = (index: ProjectIndex): ProjectIndexAnswer => ({
  state: index.state,
  embedder: index.embedder,
  episodes: index.episodes,
  active: fromSpace(index.active),
  target: fromSpace(index.target),
  problem: index.problem ?? null,
});
