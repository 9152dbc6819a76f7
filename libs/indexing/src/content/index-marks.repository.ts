/** Which rows, of any owner, have their vectors. What is about a collection is about the active index versions in it. */
export abstract class IndexMarksRepository {
  /** Notes that these rows lost their vectors in a collection. */
  abstract markLost(fingerprint: string, uids: readonly string[]): Promise<void>;

  /**
   * Notes, for up to `limit` rows whose vectors are in a collection, that they are lost.
   * @returns how many were noted; 0 when none is left
   */
  abstract markAllLost(fingerprint: string, limit: number): Promise<number>;

  /** How far the index is behind. */
  abstract backlog(): Promise<{ readonly items: number; readonly oldestSeconds: number }>;

  /** Rows that have their vectors in a collection. Reads the whole table. */
  abstract countIndexed(fingerprint: string): Promise<number>;

  /** Rows that are indexed in a collection, in the order of their uids, starting behind `after`. */
  abstract indexedAfter(
    fingerprint: string,
    after: string | undefined,
    limit: number,
  ): Promise<{ readonly uid: string; readonly version: number }[]>;

  /** Those of the uids that may have a vector in a collection. */
  abstract mayHaveVectors(fingerprint: string, uids: readonly string[]): Promise<Set<string>>;
}
