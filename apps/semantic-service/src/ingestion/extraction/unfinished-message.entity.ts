import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../../database.js';

/** Messages in the middle of which a pass ended with its process. */
@Entity({ schema: SCHEMA, name: 'ingestion_unfinished' })
@Check('ingestion_unfinished_suspect', 'num_nulls(batch_uid, retry_at, code, reason) = ANY (ARRAY[0, 4])')
@Index('ingestion_unfinished_suspects', ['setUid', 'category', 'retryAt'], { where: 'batch_uid IS NOT NULL' })
@ForeignKey('ingestion_messages', ['setUid', 'episodeUid'], ['setUid', 'episodeUid'], {
  name: 'ingestion_unfinished_set_uid_episode_uid_fkey',
  onDelete: 'CASCADE',
})
export class UnfinishedMessageEntity {
  @PrimaryColumn({ type: 'uuid', name: 'set_uid', primaryKeyConstraintName: 'ingestion_unfinished_pkey' })
  setUid!: string;

  @PrimaryColumn({ type: 'uuid', name: 'episode_uid', primaryKeyConstraintName: 'ingestion_unfinished_pkey' })
  episodeUid!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'ingestion_unfinished_pkey' })
  category!: string;

  @Column({ type: 'int', name: 'read_until', default: 0 })
  readUntil!: number;

  @Column({ type: 'int', name: 'part_tokens', nullable: true })
  partTokens!: number | null;

  @Column({ type: 'jsonb', default: () => `'[]'` })
  refused!: unknown;

  @Column({ type: 'uuid', name: 'batch_uid', nullable: true })
  batchUid!: string | null;

  @Column({ type: 'int', default: 0 })
  failures!: number;

  @Column({ type: 'timestamptz', name: 'retry_at', nullable: true })
  retryAt!: Date | null;

  @Column({ type: 'text', nullable: true })
  code!: string | null;

  @Column({ type: 'text', nullable: true })
  reason!: string | null;
}
