import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../../database.js';

/** How often a category failed in a row at its next message. */
@Entity({ schema: SCHEMA, name: 'ingestion_failures' })
export class IngestionFailureEntity {
  @ForeignKey('sets', { name: 'ingestion_failures_set_uid_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'set_uid', primaryKeyConstraintName: 'ingestion_failures_pkey' })
  setUid!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'ingestion_failures_pkey' })
  category!: string;

  @Column({ type: 'int' })
  failures!: number;

  @Column({ type: 'timestamptz', name: 'retry_at' })
  retryAt!: Date;

  @Column({ type: 'text' })
  code!: string;

  @Column({ type: 'text' })
  reason!: string;
}
