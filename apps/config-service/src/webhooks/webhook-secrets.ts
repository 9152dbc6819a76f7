import { randomBytes } from 'node:crypto';
import { SecretBox } from '@loci/models';
import { Injectable } from '@nestjs/common';

/** Within the 24 to 64 bytes of Standard Webhooks. */
const SECRET_BYTES = 32;

/** The secrets that deliveries are signed with, as they are stored: encrypted, each for its webhook alone. */
@Injectable()
export class WebhookSecrets {
  constructor(private readonly box: SecretBox) {}

  /** A new secret in the form of Standard Webhooks. */
  make(): string {
    return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  }

  seal(webhookId: string, secret: string): string {
    return this.box.seal(secret, contextOf(webhookId));
  }

  /** @throws SecretError */
  open(webhookId: string, sealed: string): string {
    return this.box.open(sealed, contextOf(webhookId));
  }

  /** The same under the current key. @throws SecretError */
  reseal(webhookId: string, sealed: string): string {
    return this.box.reseal(sealed, contextOf(webhookId));
  }
}

const contextOf = (name: string) => ({ kind: 'webhook', name, field: 'secret' });
