import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../../database.js';

/** Messages that sets have to learn from, have given up, or have learned from a moment ago. */
@Entity({ schema: SCHEMA, name: 'ingestion_messages' })
@Index('ingestion_messages_done', ['doneAt', 'setUid', 'episodeUid'], { where: 'done_at IS NOT NULL' })
@Index('ingestion_messages_oldest', ['receivedAt'], {
  where: `done_at IS NULL AND received_at > '-infinity'`,
})
@Index('ingestion_messages_of_project', ['projectUid', 'episodeUid'])
@Index('ingestion_messages_waiting', ['setUid', 'saidAt', 'episodeUid'], { where: 'done_at IS NULL' })
export class IngestionMessageEntity {
  @ForeignKey('sets', { name: 'ingestion_messages_set_uid_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'set_uid', primaryKeyConstraintName: 'ingestion_messages_pkey' })
  setUid!: string;

  @PrimaryColumn({ type: 'uuid', name: 'episode_uid', primaryKeyConstraintName: 'ingestion_messages_pkey' })
  episodeUid!: string;

  @Column({ type: 'text', name: 'org_id' })
  orgId!: string;

  @Column({ type: 'text', name: 'project_id' })
  projectId!: string;

  @Column({ type: 'uuid', name: 'project_uid' })
  projectUid!: string;

  @Column({ type: 'timestamptz', name: 'said_at' })
  saidAt!: Date;

  @Column({ type: 'timestamptz', name: 'received_at' })
  receivedAt!: Date;

  @Column({ type: 'timestamptz', name: 'taken_at', nullable: true })
  takenAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'done_at', nullable: true })
  doneAt!: Date | null;

  /** Where in which trace it came; ingestion is shown there. */
  @Column({ type: 'text', array: true, nullable: true })
  traceparents!: string[] | null;

  @Column({ type: 'timestamptz', name: 'added_at', nullable: true })
  addedAt!: Date | null;
}
