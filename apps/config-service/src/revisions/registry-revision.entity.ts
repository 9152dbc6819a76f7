import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';

/** One row: the number of the state that the registry is in. */
@Entity({ schema: SCHEMA, name: 'registry_revision' })
@Check('registry_revision_is_only_check', 'is_only')
export class RegistryRevisionEntity {
  @PrimaryColumn({
    type: 'boolean',
    name: 'is_only',
    default: true,
    primaryKeyConstraintName: 'registry_revision_pkey',
  })
  isOnly!: boolean;

  @Column({ type: 'bigint' })
  revision!: string;
}
