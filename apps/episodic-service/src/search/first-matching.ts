import { type Filter } from '@loci/contracts';
import { type TimedHit } from '@loci/retrieval';
import { type Episode } from '../episodes/episode.js';
import { type EpisodesRepository } from '../episodes/episodes.repository.js';

export type MatchingEpisodes = Pick<EpisodesRepository, 'findMatching' | 'matchingUids'>;

export interface Wanted {
  readonly projectUid: string;
  readonly filter: Filter | undefined;
  readonly count: number;
  /** Of the episodes that are read together. */
  readonly maxBytes: number;
}

/** Candidates that are tested at once after the first page, at least, and at most. */
const MIN_TESTED = 100;
const MAX_TESTED = 2_000;

/**
 * The first episodes of a ranking that exist and match. What most rankings need is read in one statement; where the index
 * cannot decide a filter, few of a long ranking may match, and then many are tested at once without their texts, more
 * each time, so that a search has few statements however little it finds.
 */
export async function firstMatching(
  episodes: MatchingEpisodes,
  ranking: readonly TimedHit[],
  wanted: Wanted,
): Promise<(Episode & { readonly score: number })[]> {
  const found = await readAll(episodes, ranking.slice(0, wanted.count), wanted);
  let tested = MIN_TESTED;
  for (let start = wanted.count; start < ranking.length && found.length < wanted.count;) {
    const page = ranking.slice(start, start + tested);
    const uids = page.map(({ id }) => id);
    const matching = new Set(await episodes.matchingUids(wanted.projectUid, uids, wanted.filter));
    const next = page.filter(({ id }) => matching.has(id)).slice(0, wanted.count - found.length);
    found.push(...(await readAll(episodes, next, wanted)));
    start += tested;
    tested = Math.min(tested * 4, MAX_TESTED);
  }
  return found;
}

async function readAll(
  episodes: MatchingEpisodes,
  hits: readonly TimedHit[],
  { projectUid, filter, maxBytes }: Wanted,
): Promise<(Episode & { readonly score: number })[]> {
  if (hits.length === 0) return [];
  const uids = hits.map(({ id }) => id);
  const matching = await episodes.findMatching(projectUid, uids, filter, maxBytes);
  const byUid = new Map(matching.map((episode) => [episode.uid, episode]));
  return hits.flatMap(({ id, score }) => {
    const episode = byUid.get(id);
    return episode ? [{ ...episode, score }] : [];
  });
}
