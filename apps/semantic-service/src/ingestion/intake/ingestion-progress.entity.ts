import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../../database.js';

/** Which categories are done with which message. */
@Entity({ schema: SCHEMA, name: 'ingestion_progress' })
@Check('ingestion_progress_outcome_check', `outcome = ANY (ARRAY['ingested', 'dead'])`)
@Index('ingestion_progress_dead', ['letterUid'], { where: 'letter_uid IS NOT NULL' })
@ForeignKey('ingestion_messages', ['setUid', 'episodeUid'], ['setUid', 'episodeUid'], {
  name: 'ingestion_progress_set_uid_episode_uid_fkey',
  onDelete: 'CASCADE',
})
export class IngestionProgressEntity {
  @PrimaryColumn({ type: 'uuid', name: 'set_uid', primaryKeyConstraintName: 'ingestion_progress_pkey' })
  setUid!: string;

  @PrimaryColumn({ type: 'uuid', name: 'episode_uid', primaryKeyConstraintName: 'ingestion_progress_pkey' })
  episodeUid!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'ingestion_progress_pkey' })
  category!: string;

  @Column({ type: 'text' })
  outcome!: string;

  @Column({ type: 'bigint' })
  attempt!: string;

  @Column({ type: 'uuid', name: 'letter_uid', nullable: true })
  letterUid!: string | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  at!: Date;
}
