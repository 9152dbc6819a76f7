/** The claim of a worker on a piece of work. */
export interface LeaseClaim {
  /** What the work is about, for the log. */
  readonly key: string;
  /** The fence: a worker with another one has lost the claim. */
  readonly token: string;
  /** Attempts before this one, in a row, that ended with their process; 0 once this one got on. */
  unfinished: number;
}

/** Where claims are kept. */
export interface LeaseStore<Claim extends LeaseClaim> {
  /** @returns false when the claim is lost */
  renew(claim: Claim, leaseMs: number): Promise<boolean>;
  /** The attempt of this claim is not counted as unfinished. A claim that is lost changes nothing. */
  takeBack(claim: Claim): Promise<void>;
}
