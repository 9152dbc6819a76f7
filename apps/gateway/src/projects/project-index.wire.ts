import { type IndexSpaceProgress, type ProjectIndex } from '@loci/contracts';

const fromSpace = (space: IndexSpaceProgress | undefined): object | null =>
  space
    ? {
        embedder: space.embedder,
        fingerprint: space.fingerprint,
        dimensions: space.dimensions,
        indexed: space.indexed,
      }
    : null;

export const fromProjectIndex = (index: ProjectIndex): object => ({
  state: index.state,
  embedder: index.embedder,
  episodes: index.episodes,
  active: fromSpace(index.active),
  target: fromSpace(index.target),
  problem: index.problem ?? null,
});
