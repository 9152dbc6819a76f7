import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type KeyRing } from './key-ring.js';
import { type SecretContext } from './secret-context.js';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const SEALED = /^sealed:v1:(?<keyId>[A-Za-z0-9_-]{1,32}):(?<data>[A-Za-z0-9_-]+)$/;

/** A sealed text that can't be opened; the message says why and what to do, without the secret. */
export class SecretError extends Error {
  override readonly name = 'SecretError';
}

/** Whether the text has the form that {@link SecretBox.seal} gives; says nothing about whether it can be opened. */
export const isSealed = (text: string): boolean => SEALED.test(text);

/**
 * Encrypts secrets for storage with AES-256-GCM. A sealed text is `sealed:v1:<key id>:<base64url of iv, ciphertext
 * and tag>`; the context that it belongs to is authenticated with it.
 */
export class SecretBox {
  constructor(private readonly keys: KeyRing) {}

  seal(secret: string, context: SecretContext): string {
    const id = this.keys.currentId;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key(id), iv).setAAD(associatedData(id, context));
    const data = Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `sealed:v1:${id}:${data.toString('base64url')}`;
  }

  /** @throws SecretError when the key is gone, or the text was changed or belongs to another context */
  open(sealed: string, context: SecretContext): string {
    const { keyId, data } = SEALED.exec(sealed)?.groups ?? {};
    if (keyId === undefined || data === undefined) throw unreadable(context);
    const key = this.key(keyId);
    const bytes = Buffer.from(data, 'base64url');
    try {
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES))
        .setAAD(associatedData(keyId, context))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      return (
        decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      );
    } catch {
      throw unreadable(context);
    }
  }

  /** The same secret under the current key; the text itself if that is what seals it. @throws SecretError */
  reseal(sealed: string, context: SecretContext): string {
    const isCurrent = SEALED.exec(sealed)?.groups?.['keyId'] === this.keys.currentId;
    return isCurrent ? sealed : this.seal(this.open(sealed, context), context);
  }

  private key(id: string): Buffer {
    const key = this.keys.get(id);
    if (key) return key;
    throw new SecretError(
      `A secret is sealed with the key '${id}', which this deployment does not have; add that key or enter the secret again.`,
    );
  }
}

const associatedData = (keyId: string, { kind, name, field }: SecretContext): Buffer =>
  Buffer.from(JSON.stringify([keyId, kind, name, field]));

const unreadable = ({ field }: SecretContext): SecretError =>
  new SecretError(`The stored secret '${field}' can't be read; enter it again.`);
