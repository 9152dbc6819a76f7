import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';

/** One row: the key with which issued secrets are tagged. */
@Entity({ schema: SCHEMA, name: 'api_key_tag' })
@Check('api_key_tag_is_only_check', 'is_only')
export class ApiKeyTagEntity {
  @PrimaryColumn({
    type: 'boolean',
    name: 'is_only',
    default: true,
    primaryKeyConstraintName: 'api_key_tag_pkey',
  })
  isOnly!: boolean;

  /** Tags issued secrets; grants nothing, so it is not encrypted. */
  @Column({ type: 'bytea' })
  key!: Buffer;
}
