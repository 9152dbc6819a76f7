import { rateLimited } from '@loci/contracts';

/** How much of the connections the requests of one organization may have: it leaves some to others at any moment. */
const SHARE = 0.8;

interface Waiting {
  readonly start: () => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Shares the connections of a process among the organizations whose requests want one. Who waits is served in turn, one of
 * each organization, so that slow statements of one do not keep the others from theirs.
 */
export class ConnectionShares {
  private readonly perOrganization: number;
  private readonly held = new Map<string, number>();
  /** In the sequence in which the organizations are served. */
  private readonly waiting = new Map<string, Set<Waiting>>();
  private free: number;

  /**
   * @param connections how many there are
   * @param waitMs how long a request waits for one, in milliseconds
   */
  constructor(
    connections: number,
    private readonly waitMs: number,
  ) {
    this.free = connections;
    this.perOrganization = Math.max(1, Math.floor(connections * SHARE));
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
