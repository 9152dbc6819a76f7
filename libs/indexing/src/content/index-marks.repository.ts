import { ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { IndexedTable } from '../index-versions/indexed-table.js';
import { readBacklog } from './read-backlog.sql.js';
import { itemsFrom } from './items-from.sql.js';
import { markAllLost } from './mark-all-lost.sql.js';
import { markLost } from './mark-lost.sql.js';
import { mayHaveVectors } from './may-have-vectors.sql.js';
import { uidRange } from './uid-range.sql.js';

const statementsOf = (table: IndexedTable) => ({
  itemsFrom: itemsFrom(table),
  markAllLost: markAllLost(table),
  markLost: markLost(table),
  mayHaveVectors: mayHaveVectors(table),
  readBacklog: readBacklog(table),
  uidRange: uidRange(table),
});

/** What is done for a collection is done for all of its owners. */
const IN_ALL = { scope: ROWS_OF_ALL };

/** Which rows, of any owner, have their vectors. What is about a collection is about the active index versions in it. */
@Injectable()
export class IndexMarksRepository {
  private readonly statements: ReturnType<typeof statementsOf>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    table: IndexedTable,
  ) {
    this.statements = statementsOf(table);
  }

  /** Notes that these rows lost their vectors in a collection. */
  async markLost(fingerprint: string, uids: readonly string[]): Promise<void> {
    await this.unitOfWork.execute(this.statements.markLost, [fingerprint, uids], IN_ALL);
  }

  /**
   * Notes, for up to `limit` rows whose vectors are in a collection, that they are lost.
   * @returns how many were noted; 0 when none is left
   */
  async markAllLost(fingerprint: string, limit: number): Promise<number> {
    const [row] = await this.unitOfWork.execute(this.statements.markAllLost, [fingerprint, limit], IN_ALL);
    return row?.marked ?? 0;
  }

  /** How far the index is behind. */
  async backlog(): Promise<{ items: number; oldestSeconds: number }> {
    const [row] = await this.unitOfWork.execute(this.statements.readBacklog, [], IN_ALL);
    return { items: row?.items ?? 0, oldestSeconds: row?.oldest ?? 0 };
  }

  /** The next rows by uid, beginning with `from`, and whether each has its vector in a collection. */
  itemsFrom(
    fingerprint: string,
    from: string,
    limit: number,
  ): Promise<{ uid: string; version: number; isIndexed: boolean }[]> {
    return this.unitOfWork.execute(this.statements.itemsFrom, [fingerprint, from, limit], IN_ALL);
  }

  /** The first uid of all rows, and that with which the last `count` of them begin; undefined when there are none. */
  async uidRange(count: number): Promise<{ first: string; newest: string } | undefined> {
    const [row] = await this.unitOfWork.execute(this.statements.uidRange, [count], IN_ALL);
    return row?.first && row.newest ? { first: row.first, newest: row.newest } : undefined;
  }

  /** Those of the uids that may have a vector in a collection. */
  async mayHaveVectors(fingerprint: string, uids: readonly string[]): Promise<Set<string>> {
    const rows = await this.unitOfWork.execute(this.statements.mayHaveVectors, [fingerprint, uids], IN_ALL);
    return new Set(rows.map(({ uid }) => uid));
  }
}
