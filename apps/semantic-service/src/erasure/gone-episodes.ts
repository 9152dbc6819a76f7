import { type Instant } from '@loci/contracts';
import { allDates, type DateStatement } from '../features/validity.js';
import { type GoneEpisodes } from '../ingestion/backlog/deleted-episodes.js';

/** Names an episode, if any. */
interface Reference {
  readonly episodeUid?: string | undefined;
  /** Absent: of the project that is meant. */
  readonly projectUid?: string | undefined;
  readonly addedAt?: Instant | undefined;
}

/** Tells of a reference whether its episode is gone. */
export function isOneOf({ projectUid, uids, addedUntil }: GoneEpisodes): (reference: Reference) => boolean {
  const asked = new Set(uids);
  return (reference) =>
    reference.episodeUid !== undefined &&
    asked.has(reference.episodeUid) &&
    (reference.projectUid ?? projectUid) === projectUid &&
    (addedUntil === undefined || reference.addedAt === undefined || reference.addedAt <= addedUntil);
}

/** What is left of statements of when a feature holds. */
export const datesLeft = (
  dates: readonly DateStatement[] | undefined,
  isGone: ReturnType<typeof isOneOf>,
): readonly DateStatement[] | undefined => allDates(dates?.filter((date) => !isGone(date)));
