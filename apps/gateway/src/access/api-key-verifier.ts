import {
  apiKeyDigest,
  apiKeysChanged,
  isApiKeySecret,
  rateLimited,
  type VerifiedApiKey,
  verifyApiKey,
} from '@loci/contracts';
import { EventListener, RpcClient } from '@loci/messaging';
import { Injectable } from '@nestjs/common';
import { type Caller } from './caller.js';
import { KnownKeys } from './known-keys.js';
import { TokenVerifier } from './token-verifier.js';

const KNOWN = { maxEntries: 10_000, validMs: 30_000, unknownMs: 5_000 };

/** Bounds what a flood of secrets that nobody has can ask of the config service. */
const MAX_LOOKUPS = 64;

/**
 * Knows API keys by asking the config service, and remembers them for a moment. It hears of every key that is revoked or
 * rotated, so that such a key ends here as soon as the news arrives; when news may have been missed it forgets all.
 */
@Injectable()
export class ApiKeyVerifier extends TokenVerifier {
  private readonly known = new KnownKeys(KNOWN);
  private readonly lookups = new Map<string, Promise<VerifiedApiKey | undefined>>();
  /** Rises with every piece of news: an answer that is older than the last one is not remembered. */
  private newsHeard = 0;

  constructor(
    private readonly rpc: RpcClient,
    events: EventListener,
  ) {
    super();
    events.hear(apiKeysChanged, {
      onEvent: ({ id }) => this.hearNews(() => this.known.forget(id)),
      onGap: () => this.hearNews(() => this.known.forgetAll()),
    });
  }

  override async verify(token: string): Promise<Caller | undefined> {
    if (!isApiKeySecret(token)) return undefined;
    const digest = apiKeyDigest(token);
    const known = this.known.find(digest);
    const key = known ? known.key : await this.lookUp(digest);
    if (!key) return undefined;
    const { id, name, scopes, bounds, producer } = key;
    return { kind: 'api-key', id, name, scopes, bounds, producer };
  }

  /** Whoever asks for the same secret at the same time shares the question. */
  private lookUp(digest: string): Promise<VerifiedApiKey | undefined> {
    const underWay = this.lookups.get(digest);
    if (underWay) return underWay;
    if (this.lookups.size >= MAX_LOOKUPS) {
      throw rateLimited('overloaded', 'Too many unknown keys at once; try again in a second.', {
        retryAfterSeconds: 1,
      });
    }
    const asked = this.ask(digest).finally(() => {
      if (this.lookups.get(digest) === asked) this.lookups.delete(digest);
    });
    this.lookups.set(digest, asked);
    return asked;
  }

  private async ask(digest: string): Promise<VerifiedApiKey | undefined> {
    const newsBefore = this.newsHeard;
    const { key } = await this.rpc.call(verifyApiKey, { digest });
    if (newsBefore === this.newsHeard) this.known.remember(digest, key);
    return key;
  }

  private hearNews(forget: () => void): void {
    this.newsHeard += 1;
    this.lookups.clear();
    forget();
  }
}
