import { ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type Collection } from '../collections/vector-collections.js';
import { activateIndexVersion } from './activate-index-version.sql.js';
import { addCollection } from './add-collection.sql.js';
import { chosenEmbedder } from './chosen-embedder.sql.js';
import { indexOfOwner, toOwnerIndex } from './index-of-owner.sql.js';
import { IndexVersionEntity } from './index-version.entity.js';
import { type IndexVersionModel, type OwnerIndex } from './index-version.js';
import { IndexedTable } from './indexed-table.js';
import { WordStatisticsEntity } from './word-statistics.entity.js';
import { listCollections } from './list-collections.sql.js';
import { restartBuilding } from './restart-building.sql.js';

export interface KnownCollection extends Collection {
  /** Whether any owner reads or fills it. */
  readonly isInUse: boolean;
  /** Whether it is time to compare it with the table. */
  readonly isToCompare: boolean;
}

const statementsOf = (table: IndexedTable) => ({
  activate: activateIndexVersion(table),
  addCollection: addCollection(table),
  chosenEmbedder: chosenEmbedder(table),
  collections: listCollections(table),
  ofOwner: indexOfOwner(table),
  restart: restartBuilding(table),
});

/** For statements that join owners, which may be known by another name, or are about all of them. */
const IN_ALL = { scope: ROWS_OF_ALL };

/** Which index versions each owner has. */
@Injectable()
export class IndexVersionsRepository {
  private readonly statements: ReturnType<typeof statementsOf>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly table: IndexedTable,
  ) {
    this.statements = statementsOf(table);
  }

  async of(ownerUid: string): Promise<OwnerIndex> {
    const scope = this.table.scopeOf(ownerUid);
    const [row] = await this.unitOfWork.execute(this.statements.ofOwner, [ownerUid], { scope });
    return row ? toOwnerIndex(row) : { indexVersions: [], hasWaiting: false, wordsRevision: 0 };
  }

  /** The name of the embedder that an open owner chose, empty for the default; undefined when it is not open. */
  async chosenEmbedder(ownerUid: string): Promise<string | undefined> {
    const [row] = await this.unitOfWork.execute(this.statements.chosenEmbedder, [ownerUid], IN_ALL);
    return row?.embedder;
  }

  /** Notes that there is a collection. @returns whether it is new */
  async addCollection({ fingerprint, dimensions }: Collection): Promise<boolean> {
    const collection = [fingerprint, dimensions];
    const rows = await this.unitOfWork.execute(this.statements.addCollection, collection, IN_ALL);
    return rows.length > 0;
  }

  /** Makes this the active index version of an open owner that has none. */
  async activate(ownerUid: string, model: IndexVersionModel): Promise<void> {
    const { fingerprint, dimensions, embedder } = model;
    const values = [ownerUid, fingerprint, dimensions, embedder];
    await this.unitOfWork.execute(this.statements.activate, values, IN_ALL);
  }

  /** Every collection that ever was, since points may still come into one that was left. */
  collections(): Promise<KnownCollection[]> {
    return this.unitOfWork.execute(this.statements.collections, [], IN_ALL);
  }

  /** Index versions that are being built in this collection begin again. */
  async restart(fingerprint: string): Promise<void> {
    await this.unitOfWork.execute(this.statements.restart, [fingerprint], IN_ALL);
  }

  /** Forgets the index versions of an erased owner, and its words. */
  async forget(ownerUid: string): Promise<void> {
    for (const entity of [IndexVersionEntity, WordStatisticsEntity]) {
      await this.unitOfWork.single((manager) => manager.delete(entity, { ownerUid }), ROWS_OF_ALL);
    }
  }
}
