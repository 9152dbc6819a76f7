import {
  type AccessBounds,
  apiKeyDigest,
  apiKeyHint,
  type ApiKeyRequest,
  type AppError,
  conflict,
  createApiKey,
  type CreateApiKeyRequest,
  forbidden,
  newApiKeySecret,
  notFound,
  revokeApiKey,
  rotateApiKey,
  type RotateApiKeyRequest,
} from '@loci/contracts';
import { Idempotency } from '@loci/persistence';
import { boundProducer } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { KeyChanges } from '../key-changes/key-changes.js';
import { BoundProjects } from '../projects/bound-projects.js';
import { LookAlikeNames } from '../names/look-alike-names.js';
import { QuotasService } from '../quotas/quotas.service.js';
import { type ApiKey, type KeptSecret, type ValidSecret } from './api-key.js';
import { ApiKeysRepository } from './api-keys.repository.js';

export interface Issued {
  readonly key: ApiKey;
  /** Undefined when the request was answered before: the secret is stored nowhere. */
  readonly secret: string | undefined;
}

@Injectable()
export class ApiKeysService {
  private tag: Promise<Uint8Array> | undefined;

  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly lookAlikes: LookAlikeNames,
    private readonly projects: BoundProjects,
    private readonly quotas: QuotasService,
    private readonly idempotency: Idempotency,
    private readonly changes: KeyChanges,
  ) {}

  /** @throws AppError `name_confusable`, `project_being_deleted`, `quota_exceeded`, `idempotency_key_reused`, `idempotency_key_in_flight` */
  async create(request: CreateApiKeyRequest): Promise<Issued> {
    const { name, scopes, bounds, producer, expiresAt, idempotency } = request;
    const secret = newApiKeySecret(await this.tagKey());
    const added = {
      id: uuidv7(),
      name,
      scopes,
      bounds,
      producer,
      expiresAt: expiresAt ? new Date(expiresAt) : undefined,
    };
    const scope = { tenant: boundsName(bounds), operation: createApiKey.subject };
    const key = await this.idempotency.run(scope, idempotency, async (tx) => {
      await this.lookAlikes.refuseBinding(bounds, tx);
      await this.projects.hold(bounds, tx);
      const add = () => this.keys.add({ ...added, ...kept(secret) }, tx);
      return this.quotas.within('keys', bounds.orgId, tx, add);
    });
    return key.id === added.id ? { key, secret } : { key: revived(key), secret: undefined };
  }

  list(
    within: AccessBounds,
    page: { offset: number; limit: number },
  ): Promise<{ keys: ApiKey[]; total: number }> {
    return this.keys.list(within, page);
  }

  /** @throws AppError `api_key_not_found` */
  async get({ within, id }: ApiKeyRequest): Promise<ApiKey> {
    const key = isUuid(id) ? await this.keys.find(within, id) : undefined;
    if (!key) throw apiKeyNotFound(id);
    return key;
  }

  /**
   * When it returns, the revocation is committed, and every gateway hears of it.
   * @throws AppError `api_key_not_found`, `producer_not_allowed` for a key that reaches further than that of the author
   */
  async revoke({ within, id, idempotency }: ApiKeyRequest): Promise<void> {
    const scope = { tenant: boundsName(within), operation: revokeApiKey.subject };
    await this.idempotency.run(scope, idempotency, async (tx) => {
      const revoked = isUuid(id) ? await this.keys.revoke(within, id, tx) : undefined;
      if (!revoked) throw apiKeyNotFound(id);
      refuseOtherProducer(revoked);
      await this.changes.note(id, tx);
    });
    this.changes.announce(id);
  }

  /**
   * @throws AppError `api_key_not_found`, `api_key_expired`, `producer_not_allowed` and `forbidden` for a key that reaches
   * further, or lasts longer, than that of the author, `idempotency_key_reused`, `idempotency_key_in_flight`
   */
  async rotate({
    within,
    id,
    graceSeconds,
    callerEndsAt,
    idempotency,
  }: RotateApiKeyRequest): Promise<Issued> {
    const secret = newApiKeySecret(await this.tagKey());
    const scope = { tenant: boundsName(within), operation: rotateApiKey.subject };
    const key = await this.idempotency.run(scope, idempotency, async (tx) => {
      const change = { secret: kept(secret), graceSeconds };
      const rotated = isUuid(id) ? await this.keys.rotate(within, id, change, tx) : undefined;
      if (!rotated) throw apiKeyNotFound(id);
      refuseOtherProducer(rotated);
      refuseExpired(rotated);
      refuseLastingLonger(rotated, callerEndsAt);
      await this.changes.note(rotated.id, tx);
      return rotated;
    });
    this.changes.announce(id);
    return key.hint === apiKeyHint(secret) ? { key, secret } : { key: revived(key), secret: undefined };
  }

  verify(digests: readonly string[]): Promise<ValidSecret[]> {
    return this.keys.findValid(digests);
  }

  /** What the secrets of this deployment are tagged with. */
  tagKey(): Promise<Uint8Array> {
    this.tag ??= this.keys.tagKey().catch((error: unknown) => {
      this.tag = undefined;
      throw error;
    });
    return this.tag;
  }
}

const kept = (secret: string): KeptSecret => ({ digest: apiKeyDigest(secret), hint: apiKeyHint(secret) });

const boundsName = ({ orgId = '*', projectId = '*' }: AccessBounds): string => `${orgId}/${projectId}`;

const apiKeyNotFound = (id: string): AppError =>
  notFound('api_key_not_found', `There is no API key ${id}; list the keys to see which there are.`);

/**
 * Who rotates a key holds its secret: one who is bound to a producer would speak for others with it. Who revokes those of
 * others silences them, and locks out who could take that back.
 */
function refuseOtherProducer({ producer }: ApiKey): void {
  const bound = boundProducer();
  if (bound === undefined || producer === bound) return;
  throw forbidden(
    'producer_not_allowed',
    `Your key speaks for the producer ${JSON.stringify(bound)} alone, and rotates and revokes only keys that do, too; use another key.`,
  );
}

function refuseExpired({ id, expiresAt }: ApiKey): void {
  if (expiresAt === undefined || expiresAt.getTime() > Date.now()) return;
  throw conflict(
    'api_key_expired',
    `The API key ${id} ended on ${expiresAt.toISOString()}, and so would its new secret; make a new key.`,
  );
}

/** Who rotates a key holds its secret: the end of their own key would mean nothing. */
function refuseLastingLonger({ id, expiresAt }: ApiKey, callerEndsAt: string | undefined): void {
  if (callerEndsAt === undefined) return;
  if (expiresAt !== undefined && expiresAt.getTime() <= Date.parse(callerEndsAt)) return;
  throw forbidden(
    'forbidden',
    `Your key ends on ${callerEndsAt}, before the API key ${id} does; rotate it with one that lasts as long.`,
  );
}

/** A remembered answer went through JSON: its instants are texts. */
const revived = (key: ApiKey): ApiKey => ({
  ...key,
  createdAt: new Date(key.createdAt),
  expiresAt: key.expiresAt && new Date(key.expiresAt),
  rotatedAt: key.rotatedAt && new Date(key.rotatedAt),
  formerExpiresAt: key.formerExpiresAt && new Date(key.formerExpiresAt),
});
