import { randomUUID } from 'node:crypto';
import { AppError, type Tenant } from '@loci/contracts';
import { type HeaderFields } from '@loci/messaging';
import { firstWithin, inBackground, RequestContext } from '@loci/platform';
import { type NewEpisodes } from './episode.js';
import { LockedProjects } from './locked-projects.js';

/** One client's add, on its way into the database. */
export interface Add {
  readonly tenant: Tenant;
  readonly added: NewEpisodes;
  /** The request that it belongs to, for the event that announces it. */
  readonly headers: HeaderFields;
}

/** Stored; or nothing is stored, because its tenant has no open project, or because another transaction has locked this. */
export type AddOutcome = 'stored' | 'closed' | 'locked';

/**
 * Stores adds, those of an unlocked open project all or nothing.
 * @param waits until projects are unlocked: none is `locked`
 */
export type StoreAdds = (adds: readonly Add[], options: { readonly waits: boolean }) => Promise<AddOutcome[]>;

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
 * with its adds. When one add makes a statement fail, each add of that statement is stored alone. Those of a project that
 * another transaction has locked wait for it by a statement of their own.
 */
export class AddBatcher {
  private readonly waiting: Waiting[] = [];
  private readonly locked = new LockedProjects<Waiting>((line) => this.storeBehindLock(firstOf(line)));
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
    while (this.running < MAX_RUNNING) {
      const adds = this.take();
      if (adds.length === 0) return;
      this.running += 1;
      void this.storeTogether(adds).finally(() => {
        this.running -= 1;
        this.startAfterTurn();
      });
    }
  }

  /** None when nothing waits but for locks. */
  private take(): Waiting[] {
    while (this.waiting.length > 0) {
      const adds = firstOf(this.waiting).filter((add) => !this.locked.join(add));
      if (adds.length > 0) return adds;
    }
    return [];
  }

  /** Of several organizations, and begun by whichever request was there: it waits in the line of none of them. */
  private storeTogether(adds: readonly Waiting[]): Promise<void> {
    return this.settle(adds, (some) => inBackground(() => this.store(some, { waits: false })));
  }

  /** Of one project: it keeps no more connections from others than its organization may have. */
  private storeBehindLock(adds: readonly Waiting[]): Promise<void> {
    const scope = { requestId: randomUUID(), orgId: adds[0]?.tenant.orgId };
    return this.settle(adds, (some) =>
      inBackground(() => RequestContext.run(scope, () => this.store(some, { waits: true }))),
    );
  }

  private async settle(
    adds: readonly Waiting[],
    store: (adds: readonly Waiting[]) => Promise<AddOutcome[]>,
  ): Promise<void> {
    try {
      const outcomes = await store(adds);
      adds.forEach((add, index) => {
        if (outcomes[index] === 'locked') this.locked.add(add);
        else add.resolve(outcomes[index] === 'stored');
      });
    } catch (error) {
      const isOutage = error instanceof AppError && error.kind !== 'internal';
      if (isOutage || adds.length === 1) for (const { reject } of adds) reject(error);
      else await Promise.all(adds.map((add) => this.settle([add], store)));
    }
  }
}

/** Takes away as many as a statement has. */
function firstOf(line: Waiting[]): Waiting[] {
  const sizeOf = ({ added }: Waiting): number => added.episodes.length;
  return line.splice(0, firstWithin(line, { maxSize: MAX_EPISODES, sizeOf }).length);
}
