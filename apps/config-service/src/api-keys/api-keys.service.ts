import {
  type AccessBounds,
  apiKeyDigest,
  apiKeyHint,
  type ApiKeyRequest,
  apiKeysChanged,
  type AppError,
  createApiKey,
  type CreateApiKeyRequest,
  newApiKeySecret,
  notFound,
  revokeApiKey,
  rotateApiKey,
  type RotateApiKeyRequest,
} from '@loci/contracts';
import { Idempotency, Outbox } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { type ApiKey, type KeptSecret, type ValidSecret } from './api-key.js';
import { ApiKeysRepository } from './api-keys.repository.js';

export interface Issued {
  readonly key: ApiKey;
  /** Undefined when the request was answered before: the secret is stored nowhere. */
  readonly secret: string | undefined;
}

@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly idempotency: Idempotency,
    private readonly outbox: Outbox,
  ) {}

  /** @throws AppError `idempotency_key_reused`, `idempotency_key_in_flight` */
  async create(request: CreateApiKeyRequest): Promise<Issued> {
    const { name, scopes, bounds, producer, expiresAt, idempotency } = request;
    const secret = newApiKeySecret();
    const added = {
      id: uuidv7(),
      name,
      scopes,
      bounds,
      producer,
      expiresAt: expiresAt ? new Date(expiresAt) : undefined,
    };
    const scope = { tenant: boundsName(bounds), operation: createApiKey.subject };
    const key = await this.idempotency.run(scope, idempotency, (tx) =>
      this.keys.add({ ...added, ...kept(secret) }, tx),
    );
    return key.id === added.id ? { key, secret } : { key: revived(key), secret: undefined };
  }

  list(
    within: AccessBounds,
    page: { offset: number; limit: number },
  ): Promise<{ keys: ApiKey[]; total: number }> {
    return this.keys.list(within, page);
  }

  /** When it returns, the revocation is committed, and every gateway hears of it. @throws AppError `api_key_not_found` */
  async revoke({ within, id, idempotency }: ApiKeyRequest): Promise<void> {
    const scope = { tenant: boundsName(within), operation: revokeApiKey.subject };
    await this.idempotency.run(scope, idempotency, async (tx) => {
      if (!isUuid(id) || !(await this.keys.revoke(within, id, tx))) throw apiKeyNotFound(id);
      await this.outbox.append(tx, apiKeysChanged, { id });
    });
    this.outbox.wake();
  }

  /** @throws AppError `api_key_not_found`, `idempotency_key_reused`, `idempotency_key_in_flight` */
  async rotate({ within, id, graceSeconds, idempotency }: RotateApiKeyRequest): Promise<Issued> {
    const secret = newApiKeySecret();
    const scope = { tenant: boundsName(within), operation: rotateApiKey.subject };
    const key = await this.idempotency.run(scope, idempotency, async (tx) => {
      const change = { secret: kept(secret), graceSeconds };
      const rotated = isUuid(id) ? await this.keys.rotate(within, id, change, tx) : undefined;
      if (!rotated) throw apiKeyNotFound(id);
      await this.outbox.append(tx, apiKeysChanged, { id: rotated.id });
      return rotated;
    });
    this.outbox.wake();
    return key.hint === apiKeyHint(secret) ? { key, secret } : { key: revived(key), secret: undefined };
  }

  verify(digest: string): Promise<ValidSecret | undefined> {
    return this.keys.findValid(digest);
  }
}

const kept = (secret: string): KeptSecret => ({ digest: apiKeyDigest(secret), hint: apiKeyHint(secret) });

const boundsName = ({ orgId = '*', projectId = '*' }: AccessBounds): string => `${orgId}/${projectId}`;

const apiKeyNotFound = (id: string): AppError =>
  notFound('api_key_not_found', `There is no API key ${id}; list the keys to see which there are.`);

/** A remembered answer went through JSON: its instants are texts. */
const revived = (key: ApiKey): ApiKey => ({
  ...key,
  createdAt: new Date(key.createdAt),
  expiresAt: key.expiresAt && new Date(key.expiresAt),
  rotatedAt: key.rotatedAt && new Date(key.rotatedAt),
});
