import { AppError, type Tenant } from '@loci/contracts';
import { type HeaderFields } from '@loci/messaging';
import { firstWithin, inBackground } from '@loci/platform';
import { type NewEpisodes } from './episode.js';

/** One client's add, on its way into the database. */
export interface Add {
  readonly tenant: Tenant;
  readonly added: NewEpisodes;
  /** The request that it belongs to, for the event that announces it. */
  readonly headers: HeaderFields;
}

/** Stores adds, all or nothing. @returns for each whether its tenant has an open project, which is whether it is stored */
export type StoreAdds = (adds: readonly Add[]) => Promise<boolean[]>;

interface Waiting extends Add {
  readonly resolve: (isStored: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** Statements that run at the same time: one is being planned and sent while another waits for the disk. */
const MAX_RUNNING = 2;

/** Bounds the size of one statement, and how much is done again when it fails. */
const MAX_EPISODES = 500;

/**
 * Stores the adds of many clients together, as PostgreSQL commits many transactions together: while a statement runs,
 * new adds wait for the next one. An add that comes alone is stored at once; the busier it gets, the more adds share a
 * commit. Adds that arrive in one turn of the event loop share one, too: most of what a statement costs does not grow
 * with its adds. When one add makes a statement fail, each add of that statement is stored alone.
 */
export class AddBatcher {
  private readonly waiting: Waiting[] = [];
  private running = 0;
  private isNextDue = false;

  constructor(private readonly store: StoreAdds) {}

  /** @returns false when the tenant has no open project: nothing is stored */
  add(add: Add): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ ...add, resolve, reject });
      this.startAfterTurn();
    });
  }

  /** Requests that arrive together are read one after the other: the first would be stored alone. */
  private startAfterTurn(): void {
    if (this.isNextDue) return;
    this.isNextDue = true;
    setImmediate(() => {
      this.isNextDue = false;
      this.startNext();
    });
  }

  private startNext(): void {
    while (this.running < MAX_RUNNING && this.waiting.length > 0) {
      this.running += 1;
      void this.storeTogether(this.take()).finally(() => {
        this.running -= 1;
        this.startAfterTurn();
      });
    }
  }

  private take(): Waiting[] {
    const sizeOf = ({ added }: Waiting): number => added.episodes.length;
    return this.waiting.splice(0, firstWithin(this.waiting, { maxSize: MAX_EPISODES, sizeOf }).length);
  }

  private async storeTogether(adds: readonly Waiting[]): Promise<void> {
    try {
      // of several organizations, and begun by whichever request was there: it waits in the line of none of them
      const stored = await inBackground(() => this.store(adds));
      adds.forEach(({ resolve }, index) => resolve(stored[index] ?? false));
    } catch (error) {
      const isOutage = error instanceof AppError && error.kind !== 'internal';
      if (isOutage || adds.length === 1) for (const { reject } of adds) reject(error);
      else await Promise.all(adds.map((add) => this.storeTogether([add])));
    }
  }
}
