import { Logger, PeriodicTask } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ConfigServiceEnv } from '../env.js';
import { AuditRepository } from './audit.repository.js';

/**
 * Logs the end of the chain, so that it is known outside of the database: who shortens the chain there, or makes it again,
 * does not have the log. `npm run audit:verify -- --expect <seq>:<hash>` compares.
 */
@Injectable()
export class AuditAnchor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: PeriodicTask;
  private logged = '';

  constructor(
    { AUDIT_ANCHOR_INTERVAL_MS: intervalMs }: ConfigServiceEnv,
    private readonly audit: AuditRepository,
    private readonly logger: Logger,
  ) {
    this.task = new PeriodicTask({
      name: 'logging of the audit head',
      intervalMs,
      work: () => this.anchor(),
      logger,
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    if (await this.audit.canBeChanged()) {
      this.logger.warn('this login may change and remove audit records: use one that does not own them');
    }
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  private async anchor(): Promise<void> {
    const { seq, hash } = await this.audit.head();
    const anchor = `${seq}:${hash}`;
    if (anchor !== this.logged) this.logger.info('audit head', { anchor });
    this.logged = anchor;
  }
}
