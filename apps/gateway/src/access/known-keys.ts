import { type VerifiedApiKey } from '@loci/contracts';

interface Known {
  /** Undefined: nobody has this secret. */
  readonly key: VerifiedApiKey | undefined;
  readonly until: number;
}

export interface KnownKeysOptions {
  readonly maxEntries: number;
  /** How long a key is believed without asking again, should the news of its end be lost. */
  readonly validMs: number;
  /** How long it is believed that nobody has a secret. */
  readonly unknownMs: number;
}

/** What is remembered of API keys, by the digest of their secret. Bounded: the oldest entries make room. */
export class KnownKeys {
  private readonly entries = new Map<string, Known>();

  constructor(
    private readonly options: KnownKeysOptions,
    private readonly now: () => number = Date.now,
  ) {}

  /** @returns undefined when nothing is remembered */
  find(digest: string): Pick<Known, 'key'> | undefined {
    const known = this.entries.get(digest);
    if (!known || known.until > this.now()) return known;
    this.entries.delete(digest);
    return undefined;
  }

  remember(digest: string, key: VerifiedApiKey | undefined): void {
    const { maxEntries, validMs, unknownMs } = this.options;
    const until = this.now() + (key ? validMs : unknownMs);
    const expiry = key?.expiresAt === undefined ? Infinity : Date.parse(key.expiresAt);
    this.entries.delete(digest);
    this.entries.set(digest, { key, until: Math.min(until, expiry) });
    const [oldest] = this.entries.keys();
    if (this.entries.size > maxEntries && oldest !== undefined) this.entries.delete(oldest);
  }

  forget(keyId: string): void {
    for (const [digest, { key }] of this.entries) if (key?.id === keyId) this.entries.delete(digest);
  }

  forgetAll(): void {
    this.entries.clear();
  }
}
