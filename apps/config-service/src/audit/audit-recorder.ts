import { recordAuditLater } from '@loci/contracts';
import { configServiceAudit, ConsumerRunner } from '@loci/messaging';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AuditRepository } from './audit.repository.js';

/** Messages that are stored in one transaction. */
const BATCH_SIZE = 20;

/** Writes down what the gateways noted behind the back of their callers. */
@Injectable()
export class AuditRecorder implements OnApplicationBootstrap {
  constructor(
    private readonly runner: ConsumerRunner,
    private readonly audit: AuditRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.runner.run(
      configServiceAudit,
      recordAuditLater,
      (messages) => this.audit.add(messages.flatMap(({ payload }) => payload.records)),
      { batchSize: BATCH_SIZE },
    );
  }
}
