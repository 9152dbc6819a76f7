/** The claim of a worker on a set. Every write names it, and is refused once another worker has claimed the set. */
export interface Claim {
  readonly setUid: string;
  /** The fencing token. */
  readonly attempt: string;
  readonly orgId: string;
  /** Absent at the level of the organization. */
  readonly projectUid: string | undefined;
}

/** A claim when it begins. */
export interface NewClaim extends Claim {
  /** The `traceparent`s of what brought the messages that are worked on; none where nothing is traced. */
  readonly causes: readonly string[];
  /** Passes before this one, in a row, that ended with their process. */
  readonly unfinished: number;
  /** Whether more messages had to come than usual, so that a consolidation adds no call. */
  readonly isPutOff: boolean;
  /** How many turns its organization gets while one of weight 1 gets one. */
  readonly weight: number;
  /** The language model that the set was configured with; undefined = that of the memory configuration. */
  readonly llmName: string | undefined;
}

/** How a pass over a set ended. */
export type PassEnd =
  | { readonly kind: 'done' }
  /** There is more to take up at once. */
  | { readonly kind: 'more' }
  /** Something failed, or is not there: it goes on after a while, and shows why. */
  | {
      readonly kind: 'retrying' | 'blocked';
      readonly afterMs: number;
      readonly code: string;
      readonly reason: string;
    };

export interface PassReport {
  readonly end: PassEnd;
  /** Those that every message of the set must be through with; undefined when the pass never came to know them. */
  readonly categories: readonly string[] | undefined;
  /** Whether the next pass is to consolidate, and waits for more messages for that. */
  readonly isToConsolidate?: boolean | undefined;
}

/** Tells one attempt from all others, in the history of features too. */
export const jobIdOf = ({ setUid, attempt }: Claim): string => `${setUid}:${attempt}`;
