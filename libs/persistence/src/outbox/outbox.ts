import { type MessageType } from '@loci/contracts';
import { Logger } from '@loci/platform';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { PERSISTENCE_OPTIONS, type PersistenceOptions } from '../database/persistence-options.js';
import { entityManager, type Transaction } from '../database/transaction.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { appendMessages } from './append-messages.sql.js';
import { NOTIFY_RELAYS } from './notify-relays.sql.js';
import { outboxHeaders, outboxInsertSql } from './outbox-insert.js';

/** A process tells the relays of new messages at most this often. */
const WAKE_INTERVAL_MS = 100;

/** The channel on which relays hear of new messages of a schema. */
export const outboxChannel = (schema: string): string => `outbox_${schema}`;

/** Where messages are put that must be sent if, and only if, the transaction commits. */
@Injectable()
export class Outbox {
  private lastWakeMs = -Infinity;
  private waking: NodeJS.Timeout | undefined;
  private ringRelay: (() => void) | undefined;

  constructor(
    @Inject(PERSISTENCE_OPTIONS) private readonly options: PersistenceOptions,
    private readonly unitOfWork: UnitOfWork,
    private readonly logger: Logger,
  ) {}

  /** Adds a message to the transaction. Call `wake` when it is committed. */
  async append<Payload extends object>(
    tx: Transaction,
    type: MessageType<Payload>,
    payload: Payload,
  ): Promise<void> {
    const { sql, parameters } = outboxInsertSql(this.options.schema, type, payload, 1);
    await entityManager(tx).query(sql, [...parameters]);
  }

  /** As `append`, any number of messages in one statement. */
  async appendAll<Payload extends object>(
    tx: Transaction,
    { subject }: MessageType<Payload>,
    payloads: readonly Payload[],
  ): Promise<void> {
    if (payloads.length === 0) return;
    const messages = payloads.map((payload) => ({ id: uuidv7(), payload }));
    const values = [subject, JSON.stringify(outboxHeaders()), JSON.stringify(messages)];
    await this.unitOfWork.execute(appendMessages(this.options.schema), values, { tx });
  }

  /**
   * Tells the relays that something was committed; returns at once. Not part of the transaction on purpose: a NOTIFY
   * in it would take a lock on the whole database at commit, and serialize all commits. A relay that hears nothing
   * looks by itself, every second at first and every eight in the end. Where the process has a relay, only that one is
   * told: to wake all the others as well would cost each of them a look, for every message of every process.
   */
  wake(): void {
    if (this.waking) return;
    const waitMs = Math.max(0, this.lastWakeMs + WAKE_INTERVAL_MS - performance.now());
    this.waking = setTimeout(() => void this.notify(), waitMs).unref();
  }

  /** From now on this process has a relay of its own, which is told without the database, and alone. */
  tellOwnRelay(ring: (() => void) | undefined): void {
    this.ringRelay = ring;
  }

  private async notify(): Promise<void> {
    this.waking = undefined;
    this.lastWakeMs = performance.now();
    if (this.ringRelay) {
      this.ringRelay();
      return;
    }
    const channel = outboxChannel(this.options.schema);
    try {
      await this.unitOfWork.execute(NOTIFY_RELAYS, [channel]);
    } catch (error) {
      this.logger.debug('could not wake the relays of the outbox', { error });
    }
  }
}
