import { AsyncLocalStorage } from 'node:async_hooks';
import { inBackground } from '@loci/platform';
import { inTime, LATE, OTHERS_WAIT_MS } from '../index-versions/in-time.js';
import { embedderUnavailable } from '../index-versions/patience.js';
import { type Failures, inSteps, modelKey, type OwnerRows, STEP } from './batch-indexer.js';

/** Rows that may wait for one embedder in this process; what is beyond is left to the sweeper. */
const MOST_WAITING = 16_384;

/** Brings rows of one embedder in line; never throws for what is wrong with one owner. */
type BringInLine = (rows: readonly OwnerRows[]) => Promise<Failures>;

/**
 * The rows of embedders that are asked over the network, in a queue for each: one that is slow, or hangs, keeps no row of
 * another waiting. Their caller waits for them for a moment, then they go on in the background; and it does not wait again
 * until the embedder has got through all that waits for it, the last of it in time.
 */
export class EmbedderQueues {
  private readonly queues = new Map<string, EmbedderQueue>();

  constructor(private readonly bringInLine: BringInLine) {}

  /**
   * @param rows of index versions of one embedder and one fingerprint
   * @returns why it failed for some owners
   * @throws AppError `embedder_unavailable` when the embedder takes too long; the work goes on, unless too much waits already
   */
  async run(rows: readonly OwnerRows[]): Promise<Failures> {
    const [first] = rows;
    if (!first || countOf(rows) === 0) return new Map();
    const { embedder } = first.open.indexVersion;
    const key = modelKey(first);
    const queue = this.queues.get(key) ?? new EmbedderQueue(this.bringInLine);
    this.queues.set(key, queue);
    try {
      const failures = await queue.run(rows);
      if (failures === LATE) throw embedderUnavailable(embedder, 'takes too long');
      return failures;
    } finally {
      if (queue.isIdle) this.queues.delete(key);
    }
  }
}

/** What one caller wants to have done. */
interface Work {
  readonly failures: Failures;
  readonly end: () => void;
  readonly fail: (error: unknown) => void;
  readonly inContext: <Result>(step: () => Result) => Result;
}

/** At most `STEP` rows, which are embedded by one call. */
interface Step {
  readonly work: Work;
  readonly rows: readonly OwnerRows[];
  readonly isLast: boolean;
}

class EmbedderQueue {
  private readonly steps: Step[] = [];
  /** Rows of all steps, of the one that is being worked on, too. */
  private waiting = 0;
  private isWorking = false;
  private isSlow = false;
  /** What is being worked on. */
  private step: Promise<unknown> = Promise.resolve();
  private stepBegunMs = 0;

  constructor(private readonly bringInLine: BringInLine) {}

  /** Whether nothing is lost when it is forgotten. */
  get isIdle(): boolean {
    return !this.isWorking && !this.isSlow;
  }

  async run(rows: readonly OwnerRows[]): Promise<Failures | typeof LATE> {
    if (this.isFull && this.gotOnLately) await inTime(this.step);
    if (this.isFull) return LATE;
    const done = this.add(rows);
    const result = this.isSlow ? LATE : await inTime(done);
    if (result !== LATE) return result;
    this.isSlow = true;
    done.catch(() => undefined);
    return LATE;
  }

  private get isFull(): boolean {
    return this.waiting >= MOST_WAITING;
  }

  private get gotOnLately(): boolean {
    return performance.now() - this.stepBegunMs < OTHERS_WAIT_MS;
  }

  private add(rows: readonly OwnerRows[]): Promise<Failures> {
    const failures: Failures = new Map();
    return new Promise((resolve, fail) => {
      const work: Work = {
        failures,
        end: () => resolve(failures),
        fail,
        inContext: AsyncLocalStorage.snapshot(),
      };
      const steps = [...inSteps(rows)];
      for (const [index, step] of steps.entries()) {
        this.steps.push({ work, rows: step, isLast: index === steps.length - 1 });
        this.waiting += countOf(step);
      }
      if (!this.isWorking) void inBackground(() => this.work());
    });
  }

  private async work(): Promise<void> {
    this.isWorking = true;
    for (let taken = this.take(); taken[0]; taken = this.take()) {
      this.stepBegunMs = performance.now();
      // steps that are done together belong to the trace of the first
      this.step = taken[0].work.inContext(() => this.takeSteps(taken));
      await this.step;
    }
    this.isWorking = false;
    if (this.gotOnLately) this.isSlow = false;
  }

  /** As many as are embedded by one call. */
  private take(): Step[] {
    let count = 0;
    const end = this.steps.findIndex(({ rows }) => (count += countOf(rows)) > STEP);
    return this.steps.splice(0, end < 0 ? this.steps.length : end);
  }

  /** Never rejects. */
  private async takeSteps(steps: readonly Step[]): Promise<void> {
    try {
      // an owner that failed is not gone on with
      const going = steps.flatMap(({ work, rows }) => rows.filter((row) => !work.failures.has(ownerOf(row))));
      const failures = await this.bringInLine(going);
      for (const { work, rows } of steps) {
        for (const owner of rows.map(ownerOf)) {
          if (failures.has(owner)) work.failures.set(owner, failures.get(owner));
        }
      }
    } catch (error) {
      for (const { work } of steps) work.fail(error);
    }
    for (const { work, rows, isLast } of steps) {
      this.waiting -= countOf(rows);
      if (isLast) work.end();
    }
  }
}

const ownerOf = ({ open }: OwnerRows): string => open.indexVersion.ownerUid;

const countOf = (rows: readonly OwnerRows[]): number => rows.reduce((sum, { uids }) => sum + uids.length, 0);
