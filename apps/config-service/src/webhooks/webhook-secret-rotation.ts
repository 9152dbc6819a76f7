import { Logger } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookWorkRepository } from './webhook-work.repository.js';

/** Encrypts again at the start what was encrypted with a former key, so that this key can be given up. */
@Injectable()
export class WebhookSecretRotation implements OnApplicationBootstrap {
  constructor(
    private readonly webhooks: WebhookWorkRepository,
    private readonly secrets: WebhookSecrets,
    private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    for (const { id, secret, formerSecret } of await this.webhooks.secrets()) {
      await this.renew(id, 'secret', secret);
      if (formerSecret !== null) await this.renew(id, 'formerSecret', formerSecret);
    }
  }

  private async renew(id: string, column: 'secret' | 'formerSecret', from: string): Promise<void> {
    try {
      const to = this.secrets.reseal(id, from);
      if (to !== from) await this.webhooks.reencrypt(id, column, { from, to });
    } catch (error) {
      this.logger.warn('a secret cannot be read with the keys of LOCI_SECRET_KEYS', { webhook: id, error });
    }
  }
}
