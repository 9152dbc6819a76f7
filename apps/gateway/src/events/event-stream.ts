import {
  type AccessBounds,
  MAX_NOTIFICATIONS_PER_PAGE,
  type NotificationPage,
  type RecordedNotification,
} from '@loci/contracts';
import { framesOf, HEARTBEAT, opening } from './event-frames.js';

/** How long a client hears nothing, at most. What a lost doorbell would have told is found then, too. */
const HEARTBEAT_MS = 15_000;

/** After a page that could not be read. */
const RETRY_MS = 1_000;
const READS_PER_HEARTBEAT = HEARTBEAT_MS / RETRY_MS;

/** So many events are read at once, at most. */
export const EVENTS_PER_READ = MAX_NOTIFICATIONS_PER_PAGE;

export interface EventStreamOptions {
  readonly within: AccessBounds;
  readonly isWanted: (notification: RecordedNotification) => boolean;
  /** The page behind a position; the last position when there is none. */
  readonly read: (after: number | undefined) => Promise<NotificationPage>;
  /** Whether its client may still read. */
  readonly mayRead: () => Promise<boolean>;
  readonly onEnd: () => void;
}

/**
 * The events of one client. It reads a page when the one before is taken by the client and something is new: a slow
 * client has at most two pages in memory.
 */
export class EventStream {
  private hasNews = false;
  private isClosed = false;
  private failedReads = 0;
  private wake: (() => void) | undefined;

  constructor(private readonly options: EventStreamOptions) {}

  get within(): AccessBounds {
    return this.options.within;
  }

  /** Something is new. */
  ring(): void {
    this.hasNews = true;
    this.wake?.();
  }

  /** Ends the stream behind what it has said so far. */
  close(): void {
    this.isClosed = true;
    this.wake?.();
  }

  mayStillRead(): Promise<boolean> {
    return this.options.mayRead();
  }

  /**
   * What is sent, until the stream is closed.
   * @param first read before the answer begins, so that what is wrong can be answered with its status
   * @param after the position behind which it was read
   * @param follow whether it goes on behind the last event that there is
   */
  async *frames(
    first: NotificationPage,
    { after, follow }: { readonly after: number | undefined; readonly follow: boolean },
  ): AsyncGenerator<string> {
    try {
      yield opening(first, after);
      let position = yield* this.send(first, after);
      while (!this.isClosed) {
        if (!this.hasNews) {
          if (!follow) return;
          if (!(await this.pause(HEARTBEAT_MS))) yield* this.beat();
          continue;
        }
        this.hasNews = false;
        const page = await this.next(position);
        if (page) position = yield* this.send(page, position);
        else yield* this.retryLater();
      }
    } finally {
      this.options.onEnd();
    }
  }

  private *send(page: NotificationPage, after: number | undefined): Generator<string, number> {
    if (page.notifications.length === EVENTS_PER_READ) this.hasNews = true;
    const frames = framesOf(page, after, this.options.isWanted);
    if (frames !== '') yield frames;
    return page.position;
  }

  private async *beat(): AsyncGenerator<string> {
    yield HEARTBEAT;
    if (!(await this.mayStillRead())) this.close();
    this.hasNews = true;
  }

  /** Its client may be the reason: a key that has expired reads nothing any more. */
  private async *retryLater(): AsyncGenerator<string> {
    if (!(await this.mayStillRead())) this.close();
    await this.pause(RETRY_MS);
    this.hasNews = true;
    this.failedReads += 1;
    if (this.failedReads % READS_PER_HEARTBEAT === 0) yield HEARTBEAT;
  }

  /** @returns undefined when it cannot be read at the moment */
  private next(position: number): Promise<NotificationPage | undefined> {
    return this.options.read(position).catch(() => undefined);
  }

  /** @returns whether it was woken */
  private pause(maxMs: number): Promise<boolean> {
    if (this.isClosed) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = (isWoken: boolean): void => {
        clearTimeout(timer);
        this.wake = undefined;
        resolve(isWoken);
      };
      const timer = setTimeout(() => end(false), maxMs);
      this.wake = () => end(true);
    });
  }
}
