import { rateLimited } from '@loci/contracts';

export interface TurnOptions {
  /** How many may have a turn at the same time. */
  readonly total: number;
  /** How much of them the requests of one organization may have, from 0 to 1: the rest is left to others at any moment. */
  readonly share: number;
  /** How long a request waits for one, in milliseconds. */
  readonly waitMs: number;
}

interface Waiting {
  readonly turns: number;
  readonly start: () => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Shares what a process has few of among the organizations whose requests want it: its connections, or its time for reads
 * that take long. Who waits is served in turn, one of each organization, so that slow requests of one do not keep the others
 * from theirs.
 */
export class OrganizationTurns {
  private readonly perOrganization: number;
  private readonly held = new Map<string, number>();
  /** In the sequence in which the organizations are served. */
  private readonly waiting = new Map<string, Set<Waiting>>();
  private readonly waitMs: number;
  private free: number;

  constructor({ total, share, waitMs }: TurnOptions) {
    this.free = total;
    this.waitMs = waitMs;
    this.perOrganization = Math.max(1, Math.floor(total * share));
  }

  /**
   * Waits until the organization may have so many more.
   * @param orgId whose request it is; undefined for work that no request asked for: it is not counted
   * @param cost how many turns its work is worth; all that one organization may have at most
   * @param waitMs how long it waits, if not as long as all do
   * @returns gives them back; to be called once
   * @throws AppError `overloaded` when it took too long
   */
  async take(orgId: string | undefined, cost = 1, waitMs = this.waitMs): Promise<() => void> {
    if (orgId === undefined) return () => undefined;
    const turns = Math.min(cost, this.perOrganization);
    if (this.mayStart(orgId, turns) && !this.isAnyNext()) this.start(orgId, turns);
    else await this.wait(orgId, turns, waitMs);
    return () => this.giveBack(orgId, turns);
  }

  private wait(orgId: string, turns: number, waitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const one: Waiting = {
        turns,
        start: () => {
          clearTimeout(one.timer);
          resolve();
        },
        timer: setTimeout(() => {
          this.leave(orgId, one);
          reject(overloaded());
          // others may have waited for it to have room
          this.serve();
        }, waitMs),
      };
      const queue = this.waiting.get(orgId);
      if (queue) queue.add(one);
      else this.waiting.set(orgId, new Set([one]));
    });
  }

  private giveBack(orgId: string, turns: number): void {
    const left = (this.held.get(orgId) ?? turns) - turns;
    if (left > 0) this.held.set(orgId, left);
    else this.held.delete(orgId);
    this.free += turns;
    this.serve();
  }

  private serve(): void {
    for (const [orgId, queue] of this.waiting) {
      if (this.free === 0) return;
      const [first] = queue;
      if (!first || !this.isWithinShare(orgId, first.turns)) continue;
      // what wants many is not overtaken by what wants few
      if (first.turns > this.free) return;
      this.leave(orgId, first);
      if (queue.size > 0) {
        // behind the others
        this.waiting.delete(orgId);
        this.waiting.set(orgId, queue);
      }
      this.start(orgId, first.turns);
      first.start();
    }
  }

  private leave(orgId: string, one: Waiting): void {
    const queue = this.waiting.get(orgId);
    queue?.delete(one);
    if (queue?.size === 0) this.waiting.delete(orgId);
  }

  private mayStart(orgId: string, turns: number): boolean {
    return turns <= this.free && this.isWithinShare(orgId, turns);
  }

  private isWithinShare(orgId: string, turns: number): boolean {
    return (this.held.get(orgId) ?? 0) + turns <= this.perOrganization;
  }

  /** Whether a request waits only until there are enough. */
  private isAnyNext(): boolean {
    for (const [orgId, [first]] of this.waiting)
      if (first && this.isWithinShare(orgId, first.turns)) return true;
    return false;
  }

  private start(orgId: string, turns: number): void {
    this.held.set(orgId, (this.held.get(orgId) ?? 0) + turns);
    this.free -= turns;
  }
}

const overloaded = (): Error =>
  rateLimited('overloaded', 'Too many requests at once; try again in a second.', { retryAfterSeconds: 1 });
