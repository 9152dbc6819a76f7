import { entityManager, type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { SCHEMA } from '../database.js';

/** Digests by id of the entries of the file as we read or wrote them last: any other was written by somebody else. */
export type SeenEntries = ReadonlyMap<string, string>;

const TABLE = `${SCHEMA}.configuration_file_entries`;

@Injectable()
export class SeenEntriesRepository {
  /** Lets one process at a time deal with the file until the transaction ends. */
  async lock(tx: Transaction): Promise<void> {
    await entityManager(tx).query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [TABLE]);
  }

  async list(tx: Transaction): Promise<SeenEntries> {
    const rows = await entityManager(tx).query<{ path: string; digest: string }[]>(
      `SELECT path, digest FROM ${TABLE}`,
    );
    return new Map(rows.map(({ path, digest }) => [path, digest]));
  }

  async replace(seen: SeenEntries, tx: Transaction): Promise<void> {
    const manager = entityManager(tx);
    await manager.query(`DELETE FROM ${TABLE}`);
    await manager.query(`INSERT INTO ${TABLE} (path, digest) SELECT * FROM unnest($1::text[], $2::text[])`, [
      [...seen.keys()],
      [...seen.values()],
    ]);
  }
}
