import { setTimeout as sleep } from 'node:timers/promises';
import {
  apiKeyDigest,
  apiKeysChanged,
  AppError,
  hasApiKeyTag,
  isApiKeySecret,
  MAX_API_KEYS_PER_VERIFICATION,
  type VerifiedApiKey,
  verifyApiKeys,
} from '@loci/contracts';
import { type EventListener, type RpcClient } from '@loci/messaging';
import { type Metrics } from '@loci/platform';
import { type Caller } from './caller.js';
import { type FailedCallers } from './failed-callers.js';
import { type AskAbout, KeyLookups } from './key-lookups.js';
import { KeyNews } from './key-news.js';
import { KnownKeys } from './known-keys.js';
import { TagKey } from './tag-key.js';
import { type DoubtListener, TokenVerifier } from './token-verifier.js';

const KNOWN = { maxEntries: 20_000, validMs: 30_000, unknownMs: 30_000 };

/** A second attempt reaches another replica, should the first one have been killed with the question, or be overloaded. */
const ATTEMPTS_MS = [2_000, 5_000];
const PAUSE_MS = 100;

const BATCH_SIZE = MAX_API_KEYS_PER_VERIFICATION;

/** For secrets that this deployment has issued, or that were valid before: they cannot be made up. */
const ISSUED = { batchSize: BATCH_SIZE, maxBatches: 4, maxWaiting: 20_000, pauseMs: 0 };

/** For secrets that may be made up. While none of them is valid, they are looked up ten times a second. */
const UNPROVEN = { batchSize: BATCH_SIZE, maxBatches: 1, maxWaiting: 5_000, pauseMs: 100 };

/**
 * Knows API keys by asking the config service, and remembers them for a moment. It hears of every key that is revoked or
 * rotated, so that such a key ends here as soon as the news arrives; when news may have been missed it forgets all.
 */
export class ApiKeyVerifier extends TokenVerifier {
  private readonly known = new KnownKeys(KNOWN);
  private readonly news = new KeyNews();
  private readonly issued: KeyLookups;
  private readonly unproven: KeyLookups;
  private readonly asked;
  private readonly tagKey: TagKey;
  private readonly doubtListeners: DoubtListener[] = [];

  constructor(
    private readonly rpc: Pick<RpcClient, 'call'>,
    events: EventListener,
    failed: FailedCallers,
    metrics: Metrics,
  ) {
    super();
    this.tagKey = new TagKey(rpc);
    this.asked = metrics.counter(
      'api_key_lookups_total',
      'Secrets that the config service was asked about, by whether this deployment is known to have issued them.',
      ['secret'],
    );
    this.issued = new KeyLookups(this.askAs('issued'), ISSUED);
    this.unproven = new KeyLookups(this.askAs('unproven'), {
      ...UNPROVEN,
      allowance: (network) => failed.remaining(network),
      refusal: (network) => failed.tooOften(network),
    });
    events.hear(apiKeysChanged, {
      onEvent: ({ id }) => this.hear(id),
      onGap: () => this.hearGap(),
    });
  }

  override async verify(token: string, network: string): Promise<Caller | undefined> {
    if (!isApiKeySecret(token)) return undefined;
    const digest = apiKeyDigest(token);
    const known = this.known.find(digest);
    const key = known ? known.key : await this.lookUp(token, digest, network);
    if (!key) return undefined;
    const { id, name, scopes, bounds, producer, expiresAt, isFormer } = key;
    const endsAtMs = expiresAt === undefined ? undefined : Date.parse(expiresAt);
    return {
      kind: 'api-key',
      id,
      name,
      scopes,
      bounds,
      producer,
      endsAtMs,
      isFormer,
      wasLookedUp: known === undefined,
    };
  }

  override onDoubt(listener: DoubtListener): void {
    this.doubtListeners.push(listener);
  }

  private async lookUp(token: string, digest: string, network: string): Promise<VerifiedApiKey | undefined> {
    const isIssued = this.known.hasSeenValid(digest) || hasApiKeyTag(token, await this.tagKey.get());
    return (isIssued ? this.issued : this.unproven).find(digest, network);
  }

  private askAs(secret: 'issued' | 'unproven'): AskAbout {
    return async (digests) => {
      this.asked.inc({ secret }, digests.length);
      const before = this.news.now();
      const keys = await this.ask(digests);
      for (const digest of digests) {
        const key = keys.get(digest);
        if (!key || !this.news.isOlder(before, key.id)) this.known.remember(digest, key);
      }
      return keys;
    };
  }

  private async ask(digests: readonly string[]): Promise<Map<string, VerifiedApiKey>> {
    for (const timeoutMs of ATTEMPTS_MS) {
      try {
        const { keys } = await this.rpc.call(verifyApiKeys, { digests }, { timeoutMs });
        return new Map(keys.map(({ digest, ...key }) => [digest, key]));
      } catch (error) {
        if (timeoutMs === ATTEMPTS_MS.at(-1) || !mayPass(error)) throw error;
        await sleep(PAUSE_MS);
      }
    }
    throw new Error('There is at least one attempt.');
  }

  private hear(keyId: string): void {
    this.news.changed(keyId);
    this.known.forget(keyId);
    this.askAnew(keyId);
  }

  private hearGap(): void {
    this.news.missed();
    this.known.forgetAll();
    this.askAnew();
  }

  private askAnew(keyId?: string): void {
    this.issued.askAnew();
    this.unproven.askAnew();
    for (const listener of this.doubtListeners) listener(keyId);
  }
}

const mayPass = (error: unknown): boolean =>
  error instanceof AppError && (error.kind === 'timeout' || error.kind === 'rate_limited');
