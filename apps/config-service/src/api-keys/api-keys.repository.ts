import { type AccessBounds } from '@loci/contracts';
import { execute, ROWS_OF_ALL, scopedManager, type Transaction, type UnitOfWork } from '@loci/persistence';
import { type FindOptionsWhere, IsNull } from 'typeorm';
import { rowsWithin } from '../rows-within.js';
import { toApiKey } from './api-key-rows.js';
import { ApiKeyTagEntity } from './api-key-tag.entity.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { type ApiKey, type KeptSecret, type ValidSecret } from './api-key.js';
import { FIND_VALID_KEYS } from './find-valid-keys.sql.js';
import { REVOKE_API_KEY } from './revoke-api-key.sql.js';
import { REVOKE_EXPIRED_KEYS } from './revoke-expired-keys.sql.js';
import { ROTATE_API_KEY } from './rotate-api-key.sql.js';

export type NewApiKey = Pick<ApiKey, 'id' | 'name' | 'scopes' | 'bounds' | 'producer' | 'expiresAt'> &
  KeptSecret;

/** Where API keys are kept. A key outside the bounds that are asked for is as one that is not there; so is a revoked one. */
export class ApiKeysRepository {
  /** @param lookups connections that nothing but the look-up of keys waits for */
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly lookups: UnitOfWork = unitOfWork,
  ) {}

  async add({ bounds, scopes, ...key }: NewApiKey, tx: Transaction): Promise<ApiKey> {
    const manager = await scopedManager(tx, rowsWithin(bounds));
    const owner = { orgId: bounds.orgId ?? null, projectId: bounds.projectId ?? null };
    const ends = { producer: key.producer ?? null, expiresAt: key.expiresAt ?? null };
    await manager.insert(ApiKeyEntity, { ...key, ...owner, ...ends, scopes: [...scopes] });
    return toApiKey(await manager.findOneByOrFail(ApiKeyEntity, { id: key.id }));
  }

  /** Newest first. */
  list(
    within: AccessBounds,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<{ keys: ApiKey[]; total: number }> {
    return this.unitOfWork.single(async (manager) => {
      const where = inForce(within);
      const total = await manager.countBy(ApiKeyEntity, where);
      const found = { where, order: { id: 'DESC' }, skip: offset, take: limit } as const;
      const rows = await manager.find(ApiKeyEntity, found);
      return { keys: rows.map(toApiKey), total };
    }, rowsWithin(within));
  }

  /** @returns undefined when there is no such key */
  async find(within: AccessBounds, id: string): Promise<ApiKey | undefined> {
    const row = await this.unitOfWork.single(
      (manager) => manager.findOneBy(ApiKeyEntity, { ...inForce(within), id }),
      rowsWithin(within),
    );
    return row ? toApiKey(row) : undefined;
  }

  /** @returns undefined when there is no such key */
  async revoke({ orgId, projectId }: AccessBounds, id: string, tx: Transaction): Promise<ApiKey | undefined> {
    const manager = await scopedManager(tx, rowsWithin({ orgId, projectId }));
    const [row] = await execute(manager, REVOKE_API_KEY, [orgId, projectId, id]);
    return row && toApiKey(row);
  }

  /** @returns how many were revoked, `limit` at most */
  async revokeExpired(hours: number, limit: number): Promise<number> {
    const values = [hours, limit];
    const [row] = await this.unitOfWork.execute(REVOKE_EXPIRED_KEYS, values, { scope: ROWS_OF_ALL });
    return row?.revoked ?? 0;
  }

  /**
   * Replaces the secret; the one before it stays valid for the grace, those before that end now.
   * @returns undefined when there is no such key
   */
  async rotate(
    { orgId, projectId }: AccessBounds,
    id: string,
    { secret, graceSeconds }: { secret: KeptSecret; graceSeconds: number },
    tx: Transaction,
  ): Promise<ApiKey | undefined> {
    const manager = await scopedManager(tx, rowsWithin({ orgId, projectId }));
    const change = [graceSeconds, secret.digest, secret.hint];
    const [row] = await execute(manager, ROTATE_API_KEY, [orgId, projectId, id, ...change]);
    return row && toApiKey(row);
  }

  /** The keys with these secrets that are neither revoked nor expired, unsorted. */
  async findValid(digests: readonly string[]): Promise<ValidSecret[]> {
    // a secret is all that says whose it is
    const rows = await this.lookups.execute(FIND_VALID_KEYS, [digests], { scope: ROWS_OF_ALL });
    return rows.map((row) => ({
      digest: row.asked,
      key: toApiKey(row),
      validUntil: row.validUntil ?? undefined,
      isFormer: row.isFormer,
    }));
  }

  /** What issued secrets are tagged with: made once for the deployment, with its tables. */
  async tagKey(): Promise<Uint8Array> {
    const { key } = await this.lookups.single((manager) =>
      manager.findOneByOrFail(ApiKeyTagEntity, { isOnly: true }),
    );
    return key;
  }
}

const inForce = ({ orgId, projectId }: AccessBounds): FindOptionsWhere<ApiKeyEntity> => ({
  revokedAt: IsNull(),
  ...(orgId !== undefined && { orgId }),
  ...(projectId !== undefined && { projectId }),
});
