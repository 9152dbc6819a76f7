import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../../database.js';

/** Messages that a category gave up, or commands of theirs that it refused. */
@Entity({ schema: SCHEMA, name: 'ingestion_dead_letters' })
@Index('ingestion_dead_letters_of_org', ['orgId', 'projectUid', 'createdAt', 'uid'])
@Index('ingestion_dead_letters_of_set', ['setUid'])
export class IngestionDeadLetterEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'ingestion_dead_letters_pkey' })
  uid!: string;

  @ForeignKey('sets', { name: 'ingestion_dead_letters_set_uid_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'set_uid', primaryKeyConstraintName: 'ingestion_dead_letters_pkey' })
  setUid!: string;

  @Column({ type: 'text', name: 'org_id' })
  orgId!: string;

  @Column({ type: 'uuid', name: 'project_uid', nullable: true })
  projectUid!: string | null;

  @Column({ type: 'text' })
  category!: string;

  @Column({ type: 'text' })
  code!: string;

  @Column({ type: 'text' })
  reason!: string;

  @Column({ type: 'int' })
  failures!: number;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'jsonb', nullable: true })
  commands!: unknown;
}
