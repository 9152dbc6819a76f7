import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';

/** The episodes that features were learned from. */
@Entity({ schema: SCHEMA, name: 'citations' })
@Index('citations_of_episode', ['projectUid', 'episodeUid'])
@ForeignKey('features', ['featureUid', 'setUid'], ['uid', 'setUid'], {
  name: 'citations_feature_uid_fkey',
  onDelete: 'CASCADE',
})
export class CitationEntity {
  @PrimaryColumn({ type: 'uuid', name: 'set_uid', primaryKeyConstraintName: 'citations_pkey' })
  setUid!: string;

  @PrimaryColumn({ type: 'uuid', name: 'feature_uid', primaryKeyConstraintName: 'citations_pkey' })
  featureUid!: string;

  @PrimaryColumn({ type: 'uuid', name: 'episode_uid', primaryKeyConstraintName: 'citations_pkey' })
  episodeUid!: string;

  @ForeignKey('projects', { name: 'citations_project_uid_fkey' })
  @Column({ type: 'uuid', name: 'project_uid' })
  projectUid!: string;

  @Column({ type: 'text', name: 'producer_id' })
  producerId!: string;

  @Column({ type: 'text', name: 'producer_role' })
  producerRole!: string;

  @Column({ type: 'text', name: 'produced_for_id' })
  producedForId!: string;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @Column({ type: 'jsonb' })
  metadata!: Readonly<Record<string, string>>;

  @Column({ type: 'timestamptz', name: 'added_at', nullable: true })
  addedAt!: Date | null;

  @Column({ type: 'boolean', name: 'is_bound', default: false })
  isBound!: boolean;
}
