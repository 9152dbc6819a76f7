import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'loci_';
const RANDOM_BYTES = 32;
const CHECKSUM_BYTES = 4;

/** 36 bytes in base64url, which has no padding then. */
const FORM = /^loci_[\w-]{48}$/;

const HINT_CHARS = PREFIX.length + 6;

/** A new secret: a prefix that scanners for leaked secrets can know, 256 random bits, and their checksum. */
export function newApiKeySecret(): string {
  const random = randomBytes(RANDOM_BYTES);
  return `${PREFIX}${Buffer.concat([random, checksumOf(random)]).toString('base64url')}`;
}

/** Whether a text can be an API key at all: one with a typo cannot, so nobody has to be asked about it. */
export function isApiKeySecret(text: string): boolean {
  if (!FORM.test(text)) return false;
  const bytes = Buffer.from(text.slice(PREFIX.length), 'base64url');
  return checksumOf(bytes.subarray(0, RANDOM_BYTES)).equals(bytes.subarray(RANDOM_BYTES));
}

/**
 * What is stored and sent instead of a secret: SHA-256, hex. A slow hash would protect nothing here: unlike a password,
 * 256 random bits cannot be guessed, however fast each guess is.
 */
export const apiKeyDigest = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** The beginning of a secret, by which its owner recognizes it in a list. */
export const apiKeyHint = (secret: string): string => secret.slice(0, HINT_CHARS);

function checksumOf(random: Uint8Array): Buffer {
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32BE(crc32(random));
  return checksum;
}
