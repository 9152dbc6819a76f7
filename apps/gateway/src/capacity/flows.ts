interface Flow<Content> {
  readonly content: Content;
  /** The virtual time from which on it is its turn. */
  turn: number;
}

export interface FlowsOptions<Content> {
  /** What a new flow has. */
  readonly begin: () => Content;
  /** Whether nothing waits in it. */
  readonly isIdle: (content: Content) => boolean;
}

/** So many flows may be remembered before idle ones are looked for. */
const MANY = 1_024;

/**
 * Flows that share something, in virtual time: the turn of a flow moves on by what it is served, and the earliest turn is
 * next. Who waits thus lets each of the others pass about once, however much they ask for. A new flow begins now, and an
 * idle one saves nothing up.
 */
export class Flows<Content> {
  private readonly flows = new Map<string, Flow<Content>>();
  /** The turn of what was served last. */
  private now = 0;
  private sweepAt = MANY;

  constructor(private readonly options: FlowsOptions<Content>) {}

  get isIdle(): boolean {
    return [...this.flows.values()].every(({ content }) => this.options.isIdle(content));
  }

  find(id: string): Content | undefined {
    return this.flows.get(id)?.content;
  }

  /** The content of a flow, which begins now unless it is known. */
  at(id: string): Content {
    return this.flow(id).content;
  }

  /** What the earliest of the flows has that have something. */
  earliest<Item>(itemOf: (content: Content) => Item | undefined): Item | undefined {
    let found: Item | undefined;
    let earliest = Infinity;
    for (const { content, turn } of this.flows.values()) {
      if (turn >= earliest) continue;
      const item = itemOf(content);
      if (item !== undefined) [found, earliest] = [item, turn];
    }
    return found;
  }

  /** Moves the turn of a flow on. */
  serve(id: string, cost: number): void {
    const flow = this.flow(id);
    this.now = Math.max(flow.turn, this.now);
    flow.turn = this.now + cost;
  }

  clear(): void {
    this.flows.clear();
  }

  private flow(id: string): Flow<Content> {
    const known = this.flows.get(id);
    if (known) return known;
    if (this.flows.size >= this.sweepAt) this.sweep();
    const flow = { content: this.options.begin(), turn: this.now };
    this.flows.set(id, flow);
    return flow;
  }

  /** Forgets what would begin again just as well. */
  private sweep(): void {
    for (const [id, { content, turn }] of this.flows) {
      if (turn <= this.now && this.options.isIdle(content)) this.flows.delete(id);
    }
    this.sweepAt = Math.max(MANY, 2 * this.flows.size);
  }
}
