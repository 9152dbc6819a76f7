import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../../database.js';

@Entity({ schema: SCHEMA, name: 'ingestion_consolidations' })
export class ConsolidationEntity {
  @ForeignKey('sets', { name: 'ingestion_consolidations_set_uid_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'set_uid', primaryKeyConstraintName: 'ingestion_consolidations_pkey' })
  setUid!: string;

  /** Empty: all categories together; rows of single ones are of older versions. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'ingestion_consolidations_pkey' })
  category!: string;

  /** Empty, as `category`. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'ingestion_consolidations_pkey' })
  tag!: string;

  /** See `partitionKey`; where facts have subjects, with the subject behind a slash. */
  @PrimaryColumn({
    type: 'text',
    name: 'partition_key',
    default: 'trusted/',
    primaryKeyConstraintName: 'ingestion_consolidations_pkey',
  })
  partitionKey!: string;

  @Column({ type: 'int' })
  features!: number;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  at!: Date;
}
