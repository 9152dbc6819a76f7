import { LRUCache } from 'lru-cache';

export interface Named<Found> {
  /** Reads by the uid, and checks that it belongs to the name still; undefined when it does not. */
  readonly read: (uid: string) => Promise<Found | undefined>;
  /** The uid that the name has now. */
  readonly lookUp: () => Promise<string | undefined>;
}

/** Names whose uids are remembered: about 2 MB. */
const REMEMBERED = 10_000;

/**
 * Spares the look-up of a name: it remembers which uid the name had. What is remembered is never believed: the statement
 * that reads by the uid checks it, and a name that was given to another uid meanwhile is looked up again.
 */
export class RememberedUids {
  private readonly uids = new LRUCache<string, string>({ max: REMEMBERED });

  async find<Found>(name: string, { read, lookUp }: Named<Found>): Promise<Found | undefined> {
    const remembered = this.uids.get(name);
    const known = remembered === undefined ? undefined : await read(remembered);
    if (known !== undefined) return known;
    const uid = await lookUp();
    if (uid === undefined) {
      this.uids.delete(name);
      return undefined;
    }
    this.uids.set(name, uid);
    return read(uid);
  }
}
