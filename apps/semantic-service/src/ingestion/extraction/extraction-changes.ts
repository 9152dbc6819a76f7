import { aboutSubject, type ShownMessages } from './command-subject.js';
import { type ExtractionCommand, type RefusedCommand } from './extraction-reply.js';
import { type FeatureChange } from '../../features/feature-change.js';
import { citationOf } from '../../features/feature.js';
import { type IngestionEpisode } from './ingestion-episode.js';
import { type PartitionedMessages } from './ingestion-partitions.js';

/** The commands as changes to features, each with the messages that it names. */
export const toChanges = (
  commands: readonly ExtractionCommand[],
  batch: readonly IngestionEpisode[],
): FeatureChange[] =>
  commands.map(({ command, tag, feature, value, messages, validity, isSingleValued }) => {
    const citations = batch.filter((_, index) => messages.includes(index + 1)).map(citationOf);
    if (command === 'delete')
      return { kind: 'delete', tag, name: feature, citations, validUntil: validity?.validUntil };
    return { kind: command, tag, name: feature, value, isSingleValued, citations, ...validity };
  });

/** What the commands change, by whether the facts of their messages have subjects, and which of them change nothing. */
export const changesOf = (
  commands: readonly ExtractionCommand[],
  { hasSubjects, batch, earlier }: Pick<PartitionedMessages, 'hasSubjects'> & ShownMessages,
): { changes: FeatureChange[]; refused: RefusedCommand[] } =>
  hasSubjects
    ? toSubjectChanges(commands, { batch, earlier })
    : { changes: toChanges(commands, batch), refused: [] };

/** The same where facts have subjects. */
export function toSubjectChanges(
  commands: readonly ExtractionCommand[],
  shown: ShownMessages,
): { changes: FeatureChange[]; refused: RefusedCommand[] } {
  const changes: FeatureChange[] = [];
  const refused: RefusedCommand[] = [];
  for (const command of commands) {
    const made = aboutSubject(command, shown);
    if ('change' in made) changes.push(made.change);
    else
      refused.push({
        command: command.command,
        tag: command.tag,
        feature: command.feature,
        reason: made.reason,
      });
  }
  return { changes, refused };
}
