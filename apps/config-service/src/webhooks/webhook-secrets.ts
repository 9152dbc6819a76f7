import { randomBytes } from 'node:crypto';
import { SecretBox, SecretError } from '@loci/models';
import { Injectable } from '@nestjs/common';
import { type DeliveryOutcome } from './webhook.js';

/** Within the 24 to 64 bytes of Standard Webhooks. */
const SECRET_BYTES = 32;

/** What became of a delivery that cannot be signed. */
export const UNSIGNED: DeliveryOutcome = {
  isDelivered: false,
  httpStatus: undefined,
  error: 'Its secret cannot be read; rotate it.',
  durationMs: 0,
  retryAfterMs: undefined,
};

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

  /**
   * What deliveries are signed with now. A former one that cannot be read is left out: otherwise a new one, which is the remedy,
   * would help only when the grace of the former one is over.
   * @returns undefined when the current one cannot be read
   */
  openAll(webhookId: string, [current, ...former]: readonly string[]): readonly string[] | undefined {
    if (current === undefined) return undefined;
    const [readable] = this.readable(webhookId, current);
    if (readable === undefined) return undefined;
    return [readable, ...former.flatMap((sealed) => this.readable(webhookId, sealed))];
  }

  /** The same under the current key. @throws SecretError */
  reseal(webhookId: string, sealed: string): string {
    return this.box.reseal(sealed, contextOf(webhookId));
  }

  /** @returns none, or it in clear */
  private readable(webhookId: string, sealed: string): readonly string[] {
    try {
      return [this.open(webhookId, sealed)];
    } catch (error) {
      if (error instanceof SecretError) return [];
      throw error;
    }
  }
}

const contextOf = (name: string) => ({ kind: 'webhook', name, field: 'secret' });
