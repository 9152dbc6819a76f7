import { AuditRecord, type AuditRecordList, recordAuditLater } from '@loci/contracts';
import {
  configServiceAudit,
  ConsumerRunner,
  DeadLetterSink,
  parseShape,
  type ReceivedMessage,
} from '@loci/messaging';
import { inParts, Logger } from '@loci/platform';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AuditLog, MAX_RECORDS } from './audit-log.js';
import { AuditRepository } from './audit.repository.js';

/** Messages that are taken at once. */
const BATCH_SIZE = 20;

type Message = ReceivedMessage<AuditRecordList>;

/** A record as it was received, and its message. */
interface ReceivedRecord {
  readonly message: Message;
  /** Within its message. */
  readonly index: number;
  readonly given: unknown;
}

interface ReadableRecord extends ReceivedRecord {
  readonly record: AuditRecord;
}

/** Stores the records that gateways sent after their answers. One that cannot be stored is dead-lettered alone. */
@Injectable()
export class AuditRecorder implements OnApplicationBootstrap {
  constructor(
    @Inject(ConsumerRunner) private readonly runner: Pick<ConsumerRunner, 'run'>,
    private readonly log: AuditLog,
    private readonly repository: AuditRepository,
    private readonly deadLetters: DeadLetterSink,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const record = (messages: readonly Message[]): Promise<void> => this.record(messages);
    this.runner.run(configServiceAudit, recordAuditLater, record, { batchSize: BATCH_SIZE });
  }

  /** @throws AppError when it cannot be stored at the moment; what was stored by then is not stored again */
  async record(messages: readonly Message[]): Promise<void> {
    const received = messages.flatMap((message) =>
      message.payload.records.map((given, index) => ({ message, index, given })),
    );
    const readable: ReadableRecord[] = [];
    for (const one of received) {
      const record = read(one.given);
      if (record instanceof Error) await this.deadLetter(one, `does not parse: ${record.message}`);
      else readable.push({ ...one, record });
    }
    for (const some of inParts(readable, MAX_RECORDS)) await this.store(some);
  }

  private async store(readable: readonly ReadableRecord[]): Promise<void> {
    const refused = await this.appendAll(readable.map(({ record }) => record));
    if (!refused) return;
    for (const one of readable) {
      const error = await this.appendAll([one.record]);
      if (error) await this.deadLetter(one, error.message);
    }
  }

  /** @returns why the records are refused, if they are */
  private async appendAll(records: readonly AuditRecord[]): Promise<Error | undefined> {
    try {
      await this.log.append(records);
      return undefined;
    } catch (error) {
      if (error instanceof Error && this.repository.isRefused(error)) return error;
      throw error;
    }
  }

  private async deadLetter({ message, index, given }: ReceivedRecord, reason: string): Promise<void> {
    this.logger.error('audit record given up', { message_id: message.id, index, reason });
    await this.deadLetters.store({
      stream: configServiceAudit.stream.name,
      consumer: configServiceAudit.name,
      subject: configServiceAudit.subject,
      messageId: `${message.id}#${index}`,
      payload: JSON.stringify({ records: [given] }),
      reason,
      deliveries: message.deliveries,
    });
  }
}

function read(given: unknown): AuditRecord | Error {
  try {
    return parseShape(AuditRecord, given);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
