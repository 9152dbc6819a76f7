import { type MemoryConfigurationUpdate } from '@loci/contracts';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';

/** One row: what was changed of the memory configuration. */
@Entity({ schema: SCHEMA, name: 'memory_configuration' })
@Check('memory_configuration_is_only_check', 'is_only')
export class MemoryConfigurationEntity {
  @PrimaryColumn({
    type: 'boolean',
    name: 'is_only',
    default: true,
    primaryKeyConstraintName: 'memory_configuration_pkey',
  })
  isOnly!: boolean;

  /** What was changed; the rest is as delivered. */
  @Column({ type: 'jsonb' })
  changes!: MemoryConfigurationUpdate;
}
