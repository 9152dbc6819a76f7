import { type ExtractionCommand } from './extraction-reply.js';
import { type FeatureChange } from './feature-store.js';
import { citationOf, type IngestionEpisode } from './ingestion-episode.js';

/**
 * The commands as changes to features. Each cites the messages that it names; one that names none, or none that exists,
 * was drawn from the batch as a whole.
 */
export const toChanges = (
  commands: readonly ExtractionCommand[],
  batch: readonly IngestionEpisode[],
): FeatureChange[] =>
  commands.map(({ command, tag, feature, value, messages }) => {
    if (command === 'delete') return { kind: 'delete', tag, name: feature };
    const named = batch.filter((_, index) => messages.includes(index + 1));
    const citations = (named.length > 0 ? named : batch).map(citationOf);
    return { kind: command, tag, name: feature, value, citations };
  });
