/** Weights by term: `indices` ascending and unique, unsigned 32 bits; `values` beside them. */
export interface SparseVector {
  readonly indices: readonly number[];
  readonly values: readonly number[];
}

/** What a search can filter by. None of it is stored as text: see `attributeToken`. */
export interface PointPayload {
  /** Any keys, any values. */
  readonly metadata: Readonly<Record<string, string>>;
  /** ISO 8601 in UTC, exact to the microsecond. */
  readonly createdAt: string;
  /** System fields by their name in a filter, such as `producer_id`; a missing value is left out. */
  readonly fields: Readonly<Record<string, string>>;
}

export interface VectorPoint {
  /** UUID, unique over all tenants. */
  readonly id: string;
  /** Of the collection's dimensions, compared by cosine. */
  readonly dense: ArrayLike<number>;
  /** Without terms if the text has no words. */
  readonly sparse: SparseVector;
  /** Whole number that grows with every change of the point. */
  readonly version: number;
  readonly payload: PointPayload;
}

export interface TenantPoints {
  readonly tenant: string;
  readonly points: readonly VectorPoint[];
}

export interface VectorHit {
  readonly id: string;
  /** Higher is better: cosine for the dense leg, BM25 for the sparse one. */
  readonly score: number;
}

/** A filter in the language of the index; made by `compilePushdown`. */
export interface PushdownFilter {
  /** Absent when the index can't narrow the search at all. */
  readonly filter?: Readonly<Record<string, unknown>>;
  /** Otherwise hits may not match and have to be checked; true matches are never left out. */
  readonly exact: boolean;
}

export interface VectorQuery {
  readonly dense?: ArrayLike<number> | undefined;
  /** Compared by dot product: how rare a term is, its value says. */
  readonly sparse?: SparseVector | undefined;
  readonly filter?: PushdownFilter | undefined;
  /** Hits per leg. */
  readonly limit: number;
}

/** Best first; a leg that was not asked for is empty. */
export interface VectorHits {
  readonly dense: readonly VectorHit[];
  readonly sparse: readonly VectorHit[];
}

export interface StoredPoint {
  readonly id: string;
  readonly tenant: string;
  readonly version: number;
}

/**
 * An index over texts that are stored elsewhere: may be lost at any moment and filled again. Also the injection
 * token. `tenant` is whose points a call may see or touch; the only calls without one are those for repairing the
 * index (`exists`, `scroll`, `versions`): they tell ids and versions, never what a point is about. Every method throws AppError `vector_index_unavailable` when the index can't be
 * reached or does not answer in time, and all but `ensureCollection` `vector_index_missing` when there is no
 * collection.
 */
export abstract class VectorIndex {
  /** Creates what is missing. Safe to call at any time, by several processes at once. */
  abstract ensureCollection(): Promise<{ readonly created: boolean }>;

  /** As `upsertAll`, for one tenant. */
  upsert(tenant: string, points: readonly VectorPoint[]): Promise<void> {
    return this.upsertAll([{ tenant, points }]);
  }

  /**
   * Adds or replaces, in as few requests as possible; searchable when the promise resolves. A point of a higher version is
   * kept as it is, so that late deliveries do no harm; so is a point of another tenant with the same id.
   */
  abstract upsertAll(points: readonly TenantPoints[]): Promise<void>;

  /** Gone from every search when the promise resolves. Ids that are not there are fine. */
  abstract remove(tenant: string, ids: readonly string[]): Promise<void>;

  abstract removeTenant(tenant: string): Promise<void>;

  /** Exact number of points. */
  abstract count(tenant: string): Promise<number>;

  abstract search(tenant: string, query: VectorQuery): Promise<VectorHits>;

  /**
   * How near the dense vectors of other points are to that of one, by cosine, nearest first. Without any that are not there, and
   * empty when the one is not there.
   * @param id of the tenant: this is not looked at
   */
  abstract similarTo(tenant: string, id: string, others: readonly string[]): Promise<VectorHit[]>;

  /** Whether there is a collection. */
  abstract exists(): Promise<boolean>;

  /** The versions of those of the ids, of any tenant, that are there. */
  abstract versions(ids: readonly string[]): Promise<Map<string, number>>;

  /**
   * A page of all points of all tenants, ordered by id. `next`, given as `after`, goes on behind it; absent on
   * the last page.
   */
  abstract scroll(options: {
    readonly after?: string | undefined;
    readonly limit: number;
  }): Promise<{ readonly points: readonly StoredPoint[]; readonly next?: string }>;

  /**
   * Whether an answer that something is missing can be believed now: the server that answers speaks for the whole
   * index, not for a part that was cut off from the rest.
   */
  abstract isLossCredible(): Promise<boolean>;

  /** Whether the index would answer now; never throws. */
  abstract isReachable(): Promise<boolean>;
}
