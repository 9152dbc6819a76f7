import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../../database.js';

/** Messages that belong to a set for which the quota of their organization had no room, and those that could not be taken in. */
@Entity({ schema: SCHEMA, name: 'messages_without_set' })
@Index('messages_without_set_of_org', ['orgId', 'refusedAt'])
@Index('messages_without_set_failed', ['orgId', 'refusedAt'], { where: 'has_failed' })
export class MessageWithoutSetEntity {
  @ForeignKey('projects', { name: 'messages_without_set_project_uid_fkey' })
  @PrimaryColumn({ type: 'uuid', name: 'project_uid', primaryKeyConstraintName: 'messages_without_set_pkey' })
  projectUid!: string;

  @PrimaryColumn({ type: 'uuid', name: 'episode_uid', primaryKeyConstraintName: 'messages_without_set_pkey' })
  episodeUid!: string;

  @Column({ type: 'text', name: 'org_id' })
  orgId!: string;

  @Column({ type: 'timestamptz', name: 'added_at' })
  addedAt!: Date;

  @Column({ type: 'timestamptz', name: 'received_at' })
  receivedAt!: Date;

  @Column({ type: 'timestamptz', name: 'refused_at' })
  refusedAt!: Date;

  /** It could not be taken in, whatever the quota has room for. */
  @Column({ type: 'boolean', name: 'has_failed', default: false })
  hasFailed!: boolean;
}
