import { type AccessBounds, type AccessScope } from '@loci/contracts';
import { ROWS_OF_ALL, scopedManager, type Transaction, type UnitOfWork } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { rowsWithin } from '../rows-within.js';
import { type ApiKey, type KeptSecret, type ValidSecret } from './api-key.js';

export type NewApiKey = Pick<ApiKey, 'id' | 'name' | 'scopes' | 'bounds' | 'producer' | 'expiresAt'> &
  KeptSecret;

const API_KEYS = `${SCHEMA}.api_keys`;

const COLUMNS = 'id, name, hint, scopes, org_id, project_id, producer, created_at, expires_at, rotated_at';

/** Parameters 1 and 2 are the bounds; null = unbounded. */
const IN_FORCE = `revoked_at IS NULL AND ($1::text IS NULL OR org_id = $1) AND ($2::text IS NULL OR project_id = $2)`;

interface Row {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly scopes: AccessScope[];
  readonly org_id: string | null;
  readonly project_id: string | null;
  readonly producer: string | null;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly rotated_at: Date | null;
}

/** Where API keys are kept. A key outside the bounds that are asked for is as one that is not there; so is a revoked one. */
export class ApiKeysRepository {
  /** @param lookups connections that nothing but the look-up of keys waits for */
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly lookups: UnitOfWork = unitOfWork,
  ) {}

  async add(key: NewApiKey, tx: Transaction): Promise<ApiKey> {
    const { id, name, hint, scopes, bounds, producer, digest, expiresAt } = key;
    const [row] = await (
      await scopedManager(tx, rowsWithin(bounds))
    ).query<Row[]>(
      `INSERT INTO ${API_KEYS} (id, name, hint, scopes, org_id, project_id, digest, expires_at, producer)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${COLUMNS}`,
      [id, name, hint, scopes, bounds.orgId, bounds.projectId, digest, expiresAt, producer],
    );
    if (!row) throw new Error('An insert returns its row.');
    return toApiKey(row);
  }

  /** Oldest first. */
  list(
    within: AccessBounds,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<{ keys: ApiKey[]; total: number }> {
    return this.unitOfWork.single(async (manager) => {
      const bounds = boundsOf(within);
      const [counted] = await manager.query<{ total: number }[]>(
        `SELECT count(*)::int AS total FROM ${API_KEYS} WHERE ${IN_FORCE}`,
        bounds,
      );
      const rows = await manager.query<Row[]>(
        `SELECT ${COLUMNS} FROM ${API_KEYS} WHERE ${IN_FORCE} ORDER BY id LIMIT $3 OFFSET $4`,
        [...bounds, limit, offset],
      );
      return { keys: rows.map(toApiKey), total: counted?.total ?? 0 };
    }, rowsWithin(within));
  }

  /** @returns false when there is no such key */
  async revoke(within: AccessBounds, id: string, tx: Transaction): Promise<boolean> {
    const rows = await (
      await scopedManager(tx, rowsWithin(within))
    ).query<unknown[]>(
      `WITH revoked AS (
         UPDATE ${API_KEYS} SET revoked_at = now() WHERE ${IN_FORCE} AND id = $3 RETURNING id)
       SELECT id FROM revoked`,
      [...boundsOf(within), id],
    );
    return rows.length === 1;
  }

  /**
   * Replaces the secret; the one before it stays valid for the grace, those before that end now.
   * @returns undefined when there is no such key
   */
  async rotate(
    within: AccessBounds,
    id: string,
    { secret, graceSeconds }: { secret: KeptSecret; graceSeconds: number },
    tx: Transaction,
  ): Promise<ApiKey | undefined> {
    const [row] = await (
      await scopedManager(tx, rowsWithin(within))
    ).query<Row[]>(
      `WITH rotated AS (
         UPDATE ${API_KEYS} SET
           former_digest     = CASE WHEN $4::int > 0 THEN digest END,
           former_expires_at = CASE WHEN $4::int > 0 THEN now() + make_interval(secs => $4::int) END,
           digest = $5, hint = $6, rotated_at = now()
         WHERE ${IN_FORCE} AND id = $3 RETURNING ${COLUMNS})
       SELECT * FROM rotated`,
      [...boundsOf(within), id, graceSeconds, secret.digest, secret.hint],
    );
    return row && toApiKey(row);
  }

  /** The keys with these secrets that are neither revoked nor expired, in any order. */
  async findValid(digests: readonly string[]): Promise<ValidSecret[]> {
    const rows = await this.lookups.single(
      (manager) =>
        manager.query<(Row & { asked: string; valid_until: Date | null })[]>(
          `SELECT * FROM (
             SELECT ${COLUMNS}, asked, expires_at AS valid_until
             FROM unnest($1::text[]) AS asked JOIN ${API_KEYS} ON digest = asked
             WHERE revoked_at IS NULL
             UNION ALL
             SELECT ${COLUMNS}, asked, least(expires_at, former_expires_at)
             FROM unnest($1::text[]) AS asked JOIN ${API_KEYS} ON former_digest = asked
             WHERE revoked_at IS NULL) AS found
           WHERE valid_until IS NULL OR valid_until > now()`,
          [digests],
        ),
      // a secret is all that says whose it is
      ROWS_OF_ALL,
    );
    return rows.map((row) => ({
      digest: row.asked,
      key: toApiKey(row),
      validUntil: row.valid_until ?? undefined,
    }));
  }

  /** What issued secrets are tagged with: made once for the deployment, with its tables. */
  async tagKey(): Promise<Uint8Array> {
    const [row] = await this.lookups.single((manager) =>
      manager.query<{ key: Buffer }[]>(`SELECT key FROM ${SCHEMA}.api_key_tag`),
    );
    if (!row) throw new Error('The migrations make the key of tags.');
    return row.key;
  }
}

const boundsOf = ({ orgId, projectId }: AccessBounds): (string | null)[] => [
  orgId ?? null,
  projectId ?? null,
];

const toApiKey = (row: Row): ApiKey => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  scopes: row.scopes,
  bounds: {
    ...(row.org_id !== null && { orgId: row.org_id }),
    ...(row.project_id !== null && { projectId: row.project_id }),
  },
  producer: row.producer ?? undefined,
  createdAt: row.created_at,
  expiresAt: row.expires_at ?? undefined,
  rotatedAt: row.rotated_at ?? undefined,
});
