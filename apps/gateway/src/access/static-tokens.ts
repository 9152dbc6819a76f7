import { createHash, timingSafeEqual } from 'node:crypto';
import { IDENTIFIER } from '@loci/contracts';
import { EnvError } from '@loci/platform';
import { type Caller } from './caller.js';
import { TokenVerifier } from './token-verifier.js';

interface Entry {
  readonly digest: Buffer;
  readonly caller: Caller;
}

/** Shorter ones could be guessed; ours are longer. */
const MIN_ADMIN_KEY_CHARS = 32;

/** 128 random bits in base64url; in hexadecimal they are 32. */
const MIN_TOKEN_CHARS = 22;

/** Random tokens of that length have more; a word that is repeated has fewer. */
const MIN_DIFFERENT_CHARS = 8;

/**
 * The tokens that the environment of the process names: `LOCI_ADMIN_KEY`, by which the first API keys are made, and those
 * of `HOSTED_TOKENS`. They work whatever else is down, and change with a restart. Keeps digests only, and compares all of
 * them in constant time.
 */
export class StaticTokens extends TokenVerifier {
  private readonly entries: readonly Entry[];

  /**
   * @param hostedTokens `token=org` or `token=org/project`, separated by commas; they may read and write
   * @param adminKey may do everything, everywhere; empty = there is none
   * @throws EnvError naming the position of what does not fit, never its text
   */
  constructor(hostedTokens: string, adminKey = '') {
    super();
    const entries = hostedTokens.split(',').map((entry) => entry.trim());
    this.entries = [
      ...entries.filter((entry) => entry !== '').map(parseEntry),
      ...(adminKey === '' ? [] : [adminEntry(adminKey)]),
    ];
    refuseRepeated(this.entries);
  }

  override verify(token: string): Promise<Caller | undefined> {
    const digest = digestOf(token);
    const matches = this.entries.filter((entry) => timingSafeEqual(entry.digest, digest));
    return Promise.resolve(matches[0]?.caller);
  }
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** A token that stands for two tenants would give the one the data of the other. */
function refuseRepeated(entries: readonly Entry[]): void {
  const names = new Map<string, string>();
  for (const { digest, caller } of entries) {
    const former = names.get(digest.toString('hex'));
    if (former !== undefined)
      throw new EnvError(`${former} and ${caller.id} have the same token; give each its own.`);
    names.set(digest.toString('hex'), caller.id);
  }
}

function adminEntry(key: string): Entry {
  if (key.length < MIN_ADMIN_KEY_CHARS || !isHardToGuess(key)) {
    throw new EnvError(
      `LOCI_ADMIN_KEY must be at least ${MIN_ADMIN_KEY_CHARS} printable ASCII characters without spaces, ${MIN_DIFFERENT_CHARS} of them different.`,
    );
  }
  return {
    digest: digestOf(key),
    caller: { kind: 'static-token', id: 'LOCI_ADMIN_KEY', scopes: ['admin'], bounds: {} },
  };
}

const isHardToGuess = (token: string): boolean =>
  token.length >= MIN_TOKEN_CHARS &&
  /^[\x21-\x7e]+$/.test(token) &&
  new Set(token).size >= MIN_DIFFERENT_CHARS;

function parseEntry(entry: string, index: number): Entry {
  const split = entry.lastIndexOf('=');
  const [orgId = '', projectId, ...rest] = entry.slice(split + 1).split('/');
  const isFine =
    split > 0 && rest.length === 0 && [orgId, projectId ?? orgId].every((id) => IDENTIFIER.test(id));
  if (!isFine) {
    throw new EnvError(`HOSTED_TOKENS: entry ${index + 1} is not token=org or token=org/project.`);
  }
  const token = entry.slice(0, split);
  if (!isHardToGuess(token)) {
    throw new EnvError(
      `HOSTED_TOKENS: the token of entry ${index + 1} can be guessed; it needs at least ${MIN_TOKEN_CHARS} printable ASCII characters, ${MIN_DIFFERENT_CHARS} of them different: openssl rand -hex 24`,
    );
  }
  return {
    digest: digestOf(token),
    caller: {
      kind: 'static-token',
      id: `HOSTED_TOKENS ${index + 1}`,
      scopes: ['read', 'write'],
      bounds: { orgId, ...(projectId !== undefined && { projectId }) },
    },
  };
}
