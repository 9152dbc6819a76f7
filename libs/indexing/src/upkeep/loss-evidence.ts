/** How much it takes to believe that an index is lost. */
export interface LossCriteria {
  /** Answers in a row that say so. */
  readonly confirmations: number;
  /** Milliseconds between the first and the last of these answers, at least. */
  readonly spanMs: number;
}

interface Missing {
  readonly sinceMs: number;
  readonly answers: number;
}

/**
 * Collects answers that an index is missing, by name. One answer proves nothing: a node that has just joined, or that was
 * cut off from its cluster, does not know of collections that the others have. Giving an index up means embedding
 * everything again, so the loss is believed only after several answers that agree, over a span of time.
 */
export class LossEvidence {
  private readonly missing = new Map<string, Missing>();

  constructor(private readonly criteria: LossCriteria) {}

  /** Records one answer that the index is missing. @returns whether it is believed to be lost now */
  addMissing(name: string, nowMs: number): boolean {
    const before = this.missing.get(name);
    const evidence: Missing = { sinceMs: before?.sinceMs ?? nowMs, answers: (before?.answers ?? 0) + 1 };
    this.missing.set(name, evidence);
    return (
      evidence.answers >= this.criteria.confirmations && nowMs - evidence.sinceMs >= this.criteria.spanMs
    );
  }

  /** Forgets what was collected: the index is there, or its server could not say for certain. */
  clear(name: string): void {
    this.missing.delete(name);
  }
}
