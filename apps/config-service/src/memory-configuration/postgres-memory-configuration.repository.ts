import { type MemoryConfigurationUpdate } from '@loci/contracts';
import { entityManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type EntityManager } from 'typeorm';
import { SCHEMA } from '../database.js';
import { MemoryConfigurationRepository } from './memory-configuration.repository.js';

const TABLE = `${SCHEMA}.memory_configuration`;

@Injectable()
export class PostgresMemoryConfigurationRepository extends MemoryConfigurationRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {
    super();
  }

  override changes(tx?: Transaction): Promise<MemoryConfigurationUpdate> {
    return tx ? readChanges(entityManager(tx)) : this.unitOfWork.single(readChanges);
  }

  override async replace(changes: MemoryConfigurationUpdate, tx: Transaction): Promise<void> {
    await entityManager(tx).query(`UPDATE ${TABLE} SET changes = $1`, [JSON.stringify(changes)]);
  }
}

async function readChanges(manager: EntityManager): Promise<MemoryConfigurationUpdate> {
  const [row] = await manager.query<{ changes: MemoryConfigurationUpdate }[]>(`SELECT changes FROM ${TABLE}`);
  return row?.changes ?? {};
}
