import { type HistoryEntry } from '../features/feature-history.js';
import { type FeatureWrite } from '../features/feature-writer.js';
import { type GoneEpisodes } from '../ingestion/backlog/deleted-episodes.js';
import { datesLeft, isOneOf } from './gone-episodes.js';

/** What becomes of removals when messages are gone. */
export interface ForgottenRemovals {
  /** Features of which no message says any more that they were never true. */
  readonly restored: readonly FeatureWrite[];
  /** Removals of which others say so, too, without what is gone. */
  readonly kept: readonly HistoryEntry[];
}

/**
 * @param removals each the last that happened to its feature
 * @returns those of features that other messages support; the rest is forgotten
 */
export function withoutMessages(removals: readonly HistoryEntry[], gone: GoneEpisodes): ForgottenRemovals {
  const isGone = isOneOf(gone);
  const restored: FeatureWrite[] = [];
  const kept: HistoryEntry[] = [];
  for (const removal of removals) {
    const { featureUid, location, origin, before } = removal;
    const citations = before?.citations.filter((citation) => !isGone(citation)) ?? [];
    if (!before || citations.length === 0) continue;
    const saidBy = origin.saidBy?.filter((message) => !isGone(message)) ?? [];
    if (saidBy.length === 0) {
      restored.push({
        record: { uid: featureUid, ...location, ...before },
        before: undefined,
        isLearned: true,
      });
      continue;
    }
    const episodes = origin.episodes.filter((episodeUid) => !gone.uids.includes(episodeUid));
    kept.push({
      ...removal,
      origin: { ...origin, saidBy, episodes },
      before: { ...before, citations, dates: datesLeft(before.dates, isGone) },
    });
  }
  return { restored, kept };
}
