import { type AccessBounds } from '@loci/contracts';
import { type Transaction } from '@loci/persistence';
import { type ApiKey, type KeptSecret, type ValidSecret } from './api-key.js';

export type NewApiKey = Pick<ApiKey, 'id' | 'name' | 'scopes' | 'bounds' | 'producer' | 'expiresAt'> &
  KeptSecret;

/** Where API keys are kept. A key outside the bounds that are asked for is as one that is not there; so is a revoked one. */
export abstract class ApiKeysRepository {
  abstract add(key: NewApiKey, tx: Transaction): Promise<ApiKey>;

  /** Oldest first. */
  abstract list(
    within: AccessBounds,
    page: { offset: number; limit: number },
  ): Promise<{ keys: ApiKey[]; total: number }>;

  /** @returns false when there is no such key */
  abstract revoke(within: AccessBounds, id: string, tx: Transaction): Promise<boolean>;

  /**
   * Replaces the secret; the one before it stays valid for the grace, those before that end now.
   * @returns undefined when there is no such key
   */
  abstract rotate(
    within: AccessBounds,
    id: string,
    change: { secret: KeptSecret; graceSeconds: number },
    tx: Transaction,
  ): Promise<ApiKey | undefined>;

  /** The keys with these secrets that are neither revoked nor expired, in any order. */
  abstract findValid(digests: readonly string[]): Promise<ValidSecret[]>;

  /** What issued secrets are tagged with: made once for the deployment, with its tables. */
  abstract tagKey(): Promise<Uint8Array>;
}
