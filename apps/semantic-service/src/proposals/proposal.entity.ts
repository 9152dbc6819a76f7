import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';
import { type Citation } from '../features/feature.js';
import { type StatedValidity } from '../features/validity.js';
import { type ProposedFeature } from './proposal.js';

/** A change that a model asks for, of features that a client wrote. */
@Entity({ schema: SCHEMA, name: 'proposals' })
@Check('proposals_command_check', `command = ANY (ARRAY['update', 'delete'])`)
@Index('proposals_of_owner', ['orgId', 'projectUid', 'uid'])
@Index('proposals_of_project', ['projectUid'], { where: 'project_uid IS NOT NULL' })
@Index('proposals_of_source', ['sourceProjectUid'], { where: 'source_project_uid IS NOT NULL' })
// not compared: of expressions, or no B-tree
@Index('proposals_once', { synchronize: false })
@Index('proposals_features', { synchronize: false })
@Index('proposals_episodes', { synchronize: false })
export class ProposalEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'proposals_pkey' })
  uid!: string;

  @ForeignKey('sets', { name: 'proposals_set_uid_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'set_uid', primaryKeyConstraintName: 'proposals_pkey' })
  setUid!: string;

  @Column({ type: 'text', name: 'org_id' })
  orgId!: string;

  @ForeignKey('projects', { name: 'proposals_project_uid_fkey' })
  @Column({ type: 'uuid', name: 'project_uid', nullable: true })
  projectUid!: string | null;

  /** Of the features, see `Partition`; what clients wrote is trusted. */
  @Column({ type: 'uuid', name: 'source_project_uid', nullable: true })
  sourceProjectUid!: string | null;

  @Column({ type: 'text' })
  command!: 'update' | 'delete';

  @Column({ type: 'text', nullable: true })
  subject!: string | null;

  @Column({ type: 'text' })
  category!: string;

  @Column({ type: 'text' })
  tag!: string;

  @Column({ type: 'text' })
  name!: string;

  /** Empty for a delete. */
  @Column({ type: 'text' })
  value!: string;

  /** As they were. */
  @Column({ type: 'jsonb' })
  features!: readonly ProposedFeature[];

  @Column({ type: 'uuid', array: true, name: 'feature_uids' })
  featureUids!: string[];

  /** What the features are to cite as well. */
  @Column({ type: 'jsonb' })
  citations!: readonly Citation[];

  @Column({ type: 'uuid', array: true, name: 'episode_uids' })
  episodeUids!: string[];

  /** When it holds, or held until; absent where the model does not say. */
  @Column({ type: 'jsonb', nullable: true })
  validity!: StatedValidity | null;

  @Column({ type: 'text', name: 'job_id', nullable: true })
  jobId!: string | null;

  @Column({ type: 'text', nullable: true })
  model!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
