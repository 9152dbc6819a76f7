import { setTimeout as sleep } from 'node:timers/promises';
import { type AuditRecord, recordAudit, recordAuditLater } from '@loci/contracts';
import { MessagePublisher, RpcClient } from '@loci/messaging';
import { firstWithin, Logger, Metrics } from '@loci/platform';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';

/** What goes into one message at most. One record is always less: its ids are bounded. */
const BATCH_SIZE = 500;
const MAX_BATCH_BYTES = 512 * 1024;

/** How long a record waits for others to travel with. */
const GATHER_MS = 50;

/** Records that wait while the message store is away; further ones are lost, and that is counted and logged. */
const MAX_WAITING = 50_000;

/** Far more than so many usual ones take. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

const RETRY_MS = 1_000;
const FLUSH_TIMEOUT_MS = 2_000;

interface WaitingRecord {
  readonly record: AuditRecord;
  /** As JSON. */
  readonly bytes: number;
}

/**
 * Gets records into the audit: at once, or, through the message store, behind the back of the requests that they are
 * about.
 */
@Injectable()
export class AuditTrail implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly waiting: WaitingRecord[] = [];
  private waitingBytes = 0;
  private sending: Promise<void> | undefined;
  private isStopping = false;
  private readonly lost;

  constructor(
    private readonly rpc: Pick<RpcClient, 'call'>,
    private readonly publisher: Pick<MessagePublisher, 'publish'>,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.lost = metrics.counter('audit_records_lost_total', 'Audit records that could not be kept.', []);
    metrics.gauge(
      'audit_records_waiting',
      'Audit records that the message store does not have yet.',
      [],
      (gauge) => gauge.set(this.waiting.length),
    );
  }

  /**
   * Returns when the record is in the database.
   * @throws AppError `service_unavailable` and what else a service that is not well says, when that is not certain
   */
  async keep(record: AuditRecord): Promise<void> {
    await this.rpc.call(recordAudit, { records: [record] });
  }

  /** Keeps the record soon. */
  note(record: AuditRecord): void {
    const bytes = Buffer.byteLength(JSON.stringify(record));
    if (this.waiting.length >= MAX_WAITING || this.waitingBytes + bytes > MAX_WAITING_BYTES) {
      this.lost.inc();
      this.logger.error('audit record lost: too many wait for the message store', {
        request_id: record.requestId,
      });
      return;
    }
    this.waiting.push({ record, bytes });
    this.waitingBytes += bytes;
    this.sending ??= this.send();
  }

  /** From now on nothing waits for company. */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.race([this.sending, sleep(FLUSH_TIMEOUT_MS, undefined, { ref: false })]);
  }

  private async send(): Promise<void> {
    while (this.waiting.length > 0) {
      const isFull = this.waiting.length >= BATCH_SIZE || this.waitingBytes >= MAX_BATCH_BYTES;
      if (!isFull && !this.isStopping) await sleep(GATHER_MS, undefined, { ref: false });
      await this.sendBatch(firstBatch(this.waiting));
    }
    this.sending = undefined;
  }

  /** The same batch under the same id until it is confirmed; its records have ids of their own, should it come twice. */
  private async sendBatch(batch: readonly WaitingRecord[]): Promise<void> {
    const id = uuidv7();
    const records = batch.map(({ record }) => record);
    for (;;) {
      try {
        await this.publisher.publish(recordAuditLater, { records }, { id, headers: {} });
        this.waiting.splice(0, batch.length);
        for (const { bytes } of batch) this.waitingBytes -= bytes;
        return;
      } catch (error) {
        this.logger.warn('audit records wait for the message store', { count: this.waiting.length, error });
        await sleep(RETRY_MS, undefined, { ref: false });
      }
    }
  }
}

const firstBatch = (waiting: readonly WaitingRecord[]): readonly WaitingRecord[] =>
  firstWithin(waiting, { maxItems: BATCH_SIZE, maxSize: MAX_BATCH_BYTES, sizeOf: ({ bytes }) => bytes });
