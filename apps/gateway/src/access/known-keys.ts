import { type VerifiedApiKey } from '@loci/contracts';
import { LRUCache } from 'lru-cache';

export interface KnownKeysOptions {
  /** Of valid keys; the same number of unknown secrets is remembered besides. */
  readonly maxEntries: number;
  /** How long a key is believed without asking again, should the news of its end be lost. */
  readonly validMs: number;
  /** How long a secret counts as unknown. It cannot become valid later: its bits are drawn when it is made. */
  readonly unknownMs: number;
}

/**
 * What is remembered of API keys, by the digest of their secret. Bounded: what was not used for longest makes room.
 * Unknown secrets are remembered apart, so that however many come, they displace no valid key.
 */
export class KnownKeys {
  private readonly valid: LRUCache<string, VerifiedApiKey>;
  private readonly unknown: LRUCache<string, true>;
  private readonly wereValid: LRUCache<string, true>;
  private readonly digestsById = new Map<string, Set<string>>();

  constructor({ maxEntries, validMs, unknownMs }: KnownKeysOptions) {
    this.valid = new LRUCache({
      max: maxEntries,
      ttl: validMs,
      disposeAfter: ({ id }, digest) => this.forgetDigest(id, digest),
    });
    this.unknown = new LRUCache({ max: maxEntries, ttl: unknownMs });
    this.wereValid = new LRUCache({ max: maxEntries });
  }

  /** @returns undefined when nothing is remembered; without a key when the secret is unknown */
  find(digest: string): { readonly key: VerifiedApiKey | undefined } | undefined {
    const key = this.valid.get(digest);
    if (key && Date.parse(key.expiresAt ?? '') <= Date.now()) {
      this.valid.delete(digest);
      return undefined;
    }
    return (key ?? this.unknown.has(digest)) ? { key } : undefined;
  }

  /** Whether a valid key has had this secret, also when it was forgotten since. */
  hasSeenValid(digest: string): boolean {
    return this.wereValid.has(digest);
  }

  remember(digest: string, key: VerifiedApiKey | undefined): void {
    if (!key) {
      this.unknown.set(digest, true);
      return;
    }
    this.valid.set(digest, key);
    this.wereValid.set(digest, true);
    const digests = this.digestsById.get(key.id) ?? new Set();
    this.digestsById.set(key.id, digests.add(digest));
  }

  forget(keyId: string): void {
    for (const digest of [...(this.digestsById.get(keyId) ?? [])]) this.valid.delete(digest);
  }

  forgetAll(): void {
    this.valid.clear();
    this.unknown.clear();
  }

  private forgetDigest(keyId: string, digest: string): void {
    if (this.valid.has(digest)) return;
    const digests = this.digestsById.get(keyId);
    digests?.delete(digest);
    if (digests?.size === 0) this.digestsById.delete(keyId);
  }
}
