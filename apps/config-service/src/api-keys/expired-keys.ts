import { Logger, PeriodicTask } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ApiKeysRepository } from './api-keys.repository.js';

const INTERVAL_MS = 10 * 60 * 1000;
const REVOKED_AT_ONCE = 1_000;

/** For so long a list shows that a key has expired, and an attempt to rotate it says so. */
const SHOWN_HOURS = 24;

/** Revokes keys that have expired: they would be looked through with each new one, and go with their project one by one. */
@Injectable()
export class ExpiredKeys implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: PeriodicTask;

  constructor(
    private readonly keys: ApiKeysRepository,
    logger: Logger,
  ) {
    this.task = new PeriodicTask({
      name: 'revocation of expired keys',
      intervalMs: INTERVAL_MS,
      work: () => this.revoke(),
      logger,
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  private async revoke(): Promise<void> {
    const revoke = () => this.keys.revokeExpired(SHOWN_HOURS, REVOKED_AT_ONCE);
    while ((await revoke()) === REVOKED_AT_ONCE);
  }
}
