import { randomUUID } from 'node:crypto';

/** Episodes of one insert and of one upsert. */
const BATCH = 1_000;

/** The n-th episode of a project. */
export interface NumberedEpisode {
  readonly uid: string;
  /**
   * The one before it, of which its vector tells. Without it, a row that waits for its vector has the next one embedded again,
   * that the next, and so on to the end of its project.
   */
  readonly previousUid: string | undefined;
  readonly projectUid: string;
  readonly n: number;
}

/** @param projects how many episodes each has, by its uid */
export function* batchesOf(projects: ReadonlyMap<string, number>): Generator<NumberedEpisode[]> {
  let batch: NumberedEpisode[] = [];
  for (const [projectUid, count] of projects) {
    let previousUid: string | undefined;
    for (let n = 0; n < count; n += 1) {
      const uid = uidOfNow();
      batch.push({ uid, previousUid, projectUid, n });
      previousUid = uid;
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/** A UUID of version 7, as the service makes it: rows that come one after the other lie side by side in the index. */
function uidOfNow(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
