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
   * Waits until the organization may have one more.
   * @param orgId whose request it is; undefined for work that no request asked for: it is not counted
   * @returns gives it back; to be called once
   * @throws AppError `overloaded` when it took too long
   */
  async take(orgId: string | undefined): Promise<() => void> {
    if (orgId === undefined) return () => undefined;
    if (this.mayStart(orgId)) this.start(orgId);
    else await this.wait(orgId);
    return () => this.giveBack(orgId);
  }

  private wait(orgId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const one: Waiting = {
        start: () => {
          clearTimeout(one.timer);
          resolve();
        },
        timer: setTimeout(() => {
          this.leave(orgId, one);
          reject(overloaded());
        }, this.waitMs),
      };
      const queue = this.waiting.get(orgId);
      if (queue) queue.add(one);
      else this.waiting.set(orgId, new Set([one]));
    });
  }

  private giveBack(orgId: string): void {
    const left = (this.held.get(orgId) ?? 1) - 1;
    if (left > 0) this.held.set(orgId, left);
    else this.held.delete(orgId);
    this.free += 1;
    this.serve();
  }

  private serve(): void {
    for (const [orgId, queue] of this.waiting) {
      if (this.free === 0) return;
      const [first] = queue;
      if (!first || !this.mayStart(orgId)) continue;
      this.leave(orgId, first);
      if (queue.size > 0) {
        // behind the others
        this.waiting.delete(orgId);
        this.waiting.set(orgId, queue);
      }
      this.start(orgId);
      first.start();
    }
  }

  private leave(orgId: string, one: Waiting): void {
    const queue = this.waiting.get(orgId);
    queue?.delete(one);
    if (queue?.size === 0) this.waiting.delete(orgId);
  }

  private mayStart(orgId: string): boolean {
    return this.free > 0 && (this.held.get(orgId) ?? 0) < this.perOrganization;
  }

  private start(orgId: string): void {
    this.held.set(orgId, (this.held.get(orgId) ?? 0) + 1);
    this.free -= 1;
  }
}

const overloaded = (): Error =>
  rateLimited('overloaded', 'Too many requests at once; try again in a second.', { retryAfterSeconds: 1 });
