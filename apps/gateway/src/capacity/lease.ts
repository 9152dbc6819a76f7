import { type AppError } from '@loci/contracts';
import { RequestContext } from '@loci/platform';
import { type RefusalReason } from './capacity-metrics.js';
import { capacityRefusal } from './capacity-refusal.js';
import { type Demand, type Ticket } from './fair-queue.js';
import { type LeaseSurroundings } from './lease-surroundings.js';
import { HANDLING_FACTOR, REQUEST_BYTES } from './memory-budget.js';
import { type Level, type Owner } from './shares.js';

/** What one request takes of the capacity of a gateway, from the first byte of its body until its answer is out. */
export class Lease {
  private isUploading = false;
  private receivedBytes = 0;
  private handlingBytes = 0;
  private replyBytes = 0;
  /** Of these, those of earlier turns. */
  private earlierReplyBytes = 0;
  /** Of its answer, beside what `answer` said. */
  private keptBytes = 0;
  /** Of the turn that it has: for what services will answer, and how much of that is left. */
  private stepBytes = 0;
  private unusedBytes = 0;
  /** Of ordinary answers of this turn: they count once the request goes on beside them. */
  private ordinaryBytes = 0;
  private slots = 0;
  /** What services have answered in this turn. */
  private answeredBytes = 0;
  private isBegun = false;
  private hasEnded = false;
  private holds = 0;
  /** Of the answer, once that has begun. */
  private answerBytes: number | undefined;
  private isClosed = false;
  private stopWaiting: (() => void) | undefined;

  constructor(
    private readonly owner: Owner,
    private readonly surroundings: LeaseSurroundings,
  ) {}

  /** Whether the request is being worked on at this moment. */
  get isRunning(): boolean {
    return this.slots > 0;
  }

  /** Whether its work goes on beside its answer. */
  get isHeld(): boolean {
    return this.holds > 0;
  }

  /** Whether its first turn came, or was asked for. */
  get hasBegun(): boolean {
    return this.isBegun;
  }

  /**
   * A body begins to arrive.
   * @throws AppError `overloaded` or `service_unavailable` when too many are on their way
   */
  openUpload(): void {
    this.takeReceiving({ uploads: 1 }, 'uploads');
    this.isUploading = true;
  }

  /**
   * More of the body has arrived.
   * @throws AppError `overloaded` or `service_unavailable` when too much has arrived that is not worked on yet
   */
  receive(bytes: number): void {
    this.takeReceiving({ bytes }, 'upload_bytes');
    this.receivedBytes += bytes;
  }

  /** The body is there, or will not come any more. */
  closeUpload(): void {
    if (!this.isUploading) return;
    this.isUploading = false;
    this.surroundings.receiving.take(this.owner, { uploads: -1 });
  }

  /**
   * Waits for the first turn of the request; later calls have no effect.
   * @param bytes of memory that the work on it takes
   * @param sentBytes of its body, which go to a service; what was not received by `receive` counts while it waits
   * @throws AppError `overloaded` or `service_unavailable` when too many wait, or when it has waited for too long; what
   * `confirm` throws
   */
  async begin(bytes: number, sentBytes = 0): Promise<void> {
    if (this.isBegun) return;
    this.isBegun = true;
    const slots = this.slotsOf(sentBytes + this.expectedBytes());
    await this.wait({ slots, bytes }, { isContinued: false, heldBytes: sentBytes });
    this.giveReceived();
    await this.surroundings.confirm?.();
  }

  /**
   * A service has answered with so much.
   * @throws AppError `overloaded` or `service_unavailable` when there is no memory for a large one, beside what is kept of
   * earlier turns. What an ordinary answer takes was set aside with the first turn.
   */
  takeReply(bytes: number): void {
    if (this.hasEnded) return;
    this.answeredBytes += bytes;
    const { queue } = this.surroundings;
    const wanted = bytes * HANDLING_FACTOR;
    if (bytes <= REQUEST_BYTES) {
      this.ordinaryBytes += wanted;
      return;
    }
    const more = Math.max(0, wanted - this.unusedBytes);
    this.unusedBytes = Math.max(0, this.unusedBytes - wanted);
    if (more === 0) return;
    const ownBytes = this.handlingBytes + this.replyBytes - this.earlierReplyBytes;
    const lacking = queue.lackingMemory(this.owner, more, ownBytes);
    if (lacking && bytes > ALWAYS_TAKEN_BYTES) throw this.refusal('reply_bytes', lacking);
    this.replyBytes += more;
    queue.free(this.owner, { slots: 0, bytes: -more });
  }

  /** What services have answered so far is not needed any more. */
  dropReplies(): void {
    const { replyBytes } = this;
    this.replyBytes = 0;
    this.earlierReplyBytes = 0;
    this.ordinaryBytes = 0;
    if (replyBytes > 0) this.surroundings.queue.free(this.owner, { slots: 0, bytes: replyBytes });
  }

  /** So much of its answer waits for its client, from now on: whatever its turns take, until it has it or is gone. */
  keep(bytes: number): void {
    const more = (this.isClosed || this.hasEnded ? 0 : bytes) - this.keptBytes;
    this.keptBytes += more;
    if (more !== 0) this.surroundings.queue.free(this.owner, { slots: 0, bytes: -more });
  }

  /** Lets others have their turn, while the request keeps its memory. */
  pause(): void {
    if (!this.isRunning) return;
    const { slots, stepBytes: bytes } = this;
    this.noteAnswered();
    this.earlierReplyBytes = this.replyBytes;
    this.slots = 0;
    this.handlingBytes -= bytes;
    this.stepBytes = 0;
    this.unusedBytes = 0;
    this.surroundings.queue.free(this.owner, { slots, bytes });
  }

  /**
   * Waits for another turn.
   * @param answerBytes that services will answer: waits for the memory, too, which otherwise may be refused then
   * @throws as `begin`
   */
  async resume(answerBytes = 0): Promise<void> {
    const bytes = answerBytes * HANDLING_FACTOR;
    if (bytes > 0) this.pause();
    if (this.isRunning) return;
    const slots = this.slotsOf(Math.max(answerBytes, this.expectedBytes()));
    await this.wait({ slots, bytes }, { isContinued: true, heldBytes: 0 });
    this.stepBytes = bytes;
    this.unusedBytes = bytes;
    try {
      await this.surroundings.confirm?.();
    } catch (error) {
      this.pause();
      throw error;
    }
  }

  /**
   * Waits for the turn of the next of several operations. What those before were answered is kept until the last is done,
   * and counts from here on, however small: each is within the share of its owner by itself, and many together may not be.
   * @throws as `begin`, and when there is no memory beside all that for an answer that is always taken
   */
  async goOn(): Promise<void> {
    const { queue } = this.surroundings;
    const kept = Math.max(REQUEST_BYTES, this.ordinaryBytes + this.stepBytes - this.unusedBytes);
    if (!this.hasEnded) {
      this.replyBytes += kept;
      queue.free(this.owner, { slots: 0, bytes: -kept });
    }
    this.ordinaryBytes = 0;
    this.pause();
    await this.resume();
    const bytes = ALWAYS_TAKEN_BYTES * HANDLING_FACTOR;
    const lacking = this.hasEnded ? 'key' : queue.lackingMemory(this.owner, bytes, this.handlingBytes);
    if (lacking) throw this.refusal('reply_bytes', lacking);
    this.handlingBytes += bytes;
    this.stepBytes = bytes;
    this.unusedBytes = bytes;
    queue.free(this.owner, { slots: 0, bytes: -bytes });
  }

  /**
   * Its work goes on beside its answer, as that of a stream does: until it is let go, an answer ends no turn.
   * @returns what lets it go
   */
  hold(): () => void {
    this.holds += 1;
    return () => {
      this.holds -= 1;
      if (this.holds > 0 || this.answerBytes === undefined) return;
      if (this.isClosed) this.end();
      else this.answer(this.answerBytes);
    };
  }

  /** The client has its answer, or has gone: everything ends with the work, or now if none is being done. */
  close(): void {
    this.isClosed = true;
    this.keep(0);
    if (!this.isRunning) this.end();
  }

  /** The work is done: from now on the request has this much memory, and no turn. */
  answer(bytes: number): void {
    this.answerBytes = bytes;
    if (this.isHeld && !this.hasEnded) return;
    const kept = this.hasEnded ? 0 : bytes;
    const released = { slots: this.slots, bytes: this.handlingBytes - kept };
    this.noteAnswered();
    this.handlingBytes = kept;
    this.stepBytes = 0;
    this.unusedBytes = 0;
    this.slots = 0;
    if (released.slots !== 0 || released.bytes !== 0) this.surroundings.queue.free(this.owner, released);
    this.dropReplies();
  }

  /** Gives back whatever the request has, and leaves the queue. */
  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.stopWaiting?.();
    this.closeUpload();
    this.giveReceived();
    this.keep(0);
    this.answer(0);
  }

  /** @param heldBytes of the request, which stay in memory while it waits */
  private async wait(
    demand: Demand,
    { isContinued, heldBytes }: { isContinued: boolean; heldBytes: number },
  ): Promise<void> {
    if (this.hasEnded) throw this.refusal('queue_wait', 'key');
    const { queue, metrics } = this.surroundings;
    let wake: (() => void) | undefined;
    const start = (): void => {
      this.slots = demand.slots;
      this.handlingBytes += demand.bytes;
      wake?.();
    };
    const ticket = queue.offer({ owner: this.owner, demand, isContinued, start });
    if (typeof ticket === 'string') throw this.refusal('queue_full', ticket);
    if (this.isRunning) return;
    this.holdWhileWaiting(heldBytes, ticket);
    const begunAt = performance.now();
    const lacking = await new Promise<Level | undefined>((resolve) => {
      const stop = (): void => {
        resolve(ticket.lacking() ?? 'process');
        ticket.cancel();
      };
      const timer = setTimeout(stop, this.patienceMs());
      this.stopWaiting = stop;
      wake = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
    });
    this.stopWaiting = undefined;
    metrics.waited((performance.now() - begunAt) / 1_000);
    if (lacking) throw this.refusal('queue_wait', lacking);
  }

  private holdWhileWaiting(bytes: number, ticket: Ticket): void {
    if (bytes <= this.receivedBytes) return;
    try {
      this.receive(bytes - this.receivedBytes);
    } catch (error) {
      ticket.cancel();
      throw error;
    }
  }

  /**
   * The slots of an operation that sends and is answered so much. What services answer to all organizations arrives on one
   * connection, and is read one after the other: what is on its way delays whatever comes behind it.
   */
  private slotsOf(movedBytes: number): number {
    return Math.min(this.surroundings.maxSlots, Math.max(1, Math.ceil(movedBytes / SLOT_BYTES)));
  }

  private expectedBytes(): number {
    const { answers, route } = this.surroundings;
    return answers.expected(this.owner.org, route);
  }

  private noteAnswered(): void {
    const { answers, route } = this.surroundings;
    if (this.isRunning) answers.note(this.owner.org, route, this.answeredBytes);
    this.answeredBytes = 0;
  }

  private patienceMs(): number {
    const { deadlineMs = Infinity } = RequestContext.current() ?? {};
    return Math.max(0, Math.min(this.surroundings.maxWaitMs, deadlineMs - Date.now()));
  }

  private takeReceiving(more: { uploads: number } | { bytes: number }, reason: RefusalReason): void {
    const { receiving } = this.surroundings;
    const lacking = this.hasEnded ? 'key' : receiving.lacking(this.owner, more);
    if (lacking) throw this.refusal(reason, lacking);
    receiving.take(this.owner, more);
  }

  private giveReceived(): void {
    if (this.receivedBytes === 0) return;
    this.surroundings.receiving.take(this.owner, { bytes: -this.receivedBytes });
    this.receivedBytes = 0;
  }

  private refusal(reason: RefusalReason, share: Level): AppError {
    const { metrics } = this.surroundings;
    if (!this.hasEnded) metrics.refused(reason, share);
    return capacityRefusal(share, metrics);
  }
}

/** A smaller answer may be that of a write, and what is done is not refused. */
const ALWAYS_TAKEN_BYTES = 256 * 1024;

/** What one slot moves between the gateway and services: requests and answers of an ordinary size. */
const SLOT_BYTES = REQUEST_BYTES;
