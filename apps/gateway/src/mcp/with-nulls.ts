import { type EpisodeAnswer } from '../memories/episode.wire.js';
import { type FeatureAnswer } from '../semantic-features/feature-answer.wire.js';
import { type SearchAnswer } from '../memories/search-memories.wire.js';

/** A search as MCP clients get it: what HTTP leaves out is null. */
export function withNulls({ status, content }: SearchAnswer): Readonly<Record<string, unknown>> {
  const { episodic_memory: episodic, semantic_memory } = content;
  return {
    status,
    content: {
      episodic_memory: episodic
        ? {
            long_term_memory: { episodes: episodic.long_term_memory.episodes.map(complete) },
            short_term_memory: {
              ...episodic.short_term_memory,
              episodes: episodic.short_term_memory.episodes.map(complete),
            },
          }
        : null,
      semantic_memory: semantic_memory?.map(completeFeature) ?? null,
    },
  };
}

const complete = (episode: EpisodeAnswer): object => ({ metadata: null, score: null, ...episode });

const completeFeature = (feature: FeatureAnswer): object => ({
  ...feature,
  metadata: { citations: null, other: null, ...feature.metadata },
});
