import { rateLimited } from '@loci/contracts';
import { Injectable } from '@nestjs/common';

/** Previews that one process works on at a time: each waits for a model, and holds texts meanwhile. */
const AT_ONCE = 8;

/** Of one organization. */
const AT_ONCE_PER_ORGANIZATION = 2;

/** Lets a few previews in at a time, and refuses the others: what waited would be too late. */
@Injectable()
export class PreviewTurns {
  private readonly running = new Map<string, number>();

  /** @throws AppError `overloaded` */
  async run<Result>(orgId: string, work: () => Promise<Result>): Promise<Result> {
    const own = this.running.get(orgId) ?? 0;
    const all = [...this.running.values()].reduce((sum, count) => sum + count, 0);
    if (own >= AT_ONCE_PER_ORGANIZATION || all >= AT_ONCE) throw busy();
    this.running.set(orgId, own + 1);
    try {
      return await work();
    } finally {
      const left = (this.running.get(orgId) ?? 1) - 1;
      if (left === 0) this.running.delete(orgId);
      else this.running.set(orgId, left);
    }
  }
}

const busy = (): Error =>
  rateLimited('overloaded', 'Other previews are being worked on; try again when they are answered.', {
    retryAfterSeconds: 5,
  });
