import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'loci_';

/** Random bytes, and behind them a tag or further random bytes. */
const BODY_BYTES = 32;
const TAG_BYTES = 8;
const CHECKSUM_BYTES = 4;

/** 36 bytes in base64url, which has no padding then. */
const FORM = /^loci_[\w-]{48}$/;

const HINT_CHARS = PREFIX.length + 6;

/**
 * A new secret: `loci_`, a prefix that scanners for leaked secrets can know, and in base64url 24 random bytes, a tag and a
 * checksum. The checksum (CRC-32 of all before it) tells a typo. The tag (HMAC-SHA256 of the random bytes, its first 8
 * bytes) tells a secret that the deployment has issued from one that a stranger made up; it is not what makes the secret
 * hard to guess.
 * @param tagKey of the deployment; without one there are 8 more random bytes where the tag would be, as in all secrets
 * that were issued before there were tags
 */
export function newApiKeySecret(tagKey?: Uint8Array): string {
  const random = randomBytes(BODY_BYTES);
  const body = tagKey ? Buffer.concat([untagged(random), tagOf(random, tagKey)]) : random;
  return `${PREFIX}${Buffer.concat([body, checksumOf(body)]).toString('base64url')}`;
}

/** Whether a text can be an API key at all: one with a typo cannot, so no service has to be asked about it. */
export function isApiKeySecret(text: string): boolean {
  if (!FORM.test(text)) return false;
  const bytes = bytesOf(text);
  return checksumOf(bytes.subarray(0, BODY_BYTES)).equals(bytes.subarray(BODY_BYTES));
}

/** Whether the holder of this key has issued a secret. @param secret for which `isApiKeySecret` holds */
export function hasApiKeyTag(secret: string, tagKey: Uint8Array): boolean {
  const body = bytesOf(secret).subarray(0, BODY_BYTES);
  return timingSafeEqual(tagOf(body, tagKey), body.subarray(BODY_BYTES - TAG_BYTES));
}

/**
 * What is stored and sent instead of a secret: SHA-256, hex. A slow hash would protect nothing here: unlike a password,
 * 256 random bits cannot be guessed, however fast each guess is.
 */
export const apiKeyDigest = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** The beginning of a secret, by which its owner recognizes it in a list. */
export const apiKeyHint = (secret: string): string => secret.slice(0, HINT_CHARS);

const bytesOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64url');

const untagged = (body: Buffer): Buffer => body.subarray(0, BODY_BYTES - TAG_BYTES);

const tagOf = (body: Buffer, tagKey: Uint8Array): Buffer =>
  createHmac('sha256', tagKey).update(untagged(body)).digest().subarray(0, TAG_BYTES);

function checksumOf(body: Uint8Array): Buffer {
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32BE(crc32(body));
  return checksum;
}
