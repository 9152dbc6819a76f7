import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';

/** Every change of a feature. */
@Entity({ schema: SCHEMA, name: 'feature_history' })
@Check('feature_history_action_check', `action = ANY (ARRAY['add', 'update', 'remove'])`)
@Check(
  'feature_history_origin_check',
  `origin = ANY (ARRAY['client', 'ingestion', 'consolidation', 'undo', 'import'])`,
)
// not compared: of expressions, or no B-tree
@Index('feature_history_changes', { synchronize: false })
@Index('feature_history_episodes', { synchronize: false })
@Index('feature_history_of', ['featureUid', 'uid'])
@Index('feature_history_of_project', ['projectUid'], { where: 'project_uid IS NOT NULL' })
export class FeatureChangeEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'feature_history_pkey' })
  uid!: string;

  @Column({ type: 'uuid', name: 'feature_uid' })
  featureUid!: string;

  @ForeignKey('sets', { name: 'feature_history_set_uid_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'set_uid', primaryKeyConstraintName: 'feature_history_pkey' })
  setUid!: string;

  @Column({ type: 'text', name: 'org_id' })
  orgId!: string;

  @ForeignKey('projects', { name: 'feature_history_project_uid_fkey' })
  @Column({ type: 'uuid', name: 'project_uid', nullable: true })
  projectUid!: string | null;

  @Column({ type: 'text' })
  action!: string;

  @Column({ type: 'text' })
  origin!: string;

  @Column({ type: 'text', name: 'job_id', nullable: true })
  jobId!: string | null;

  @Column({ type: 'text', nullable: true })
  model!: string | null;

  /** Every episode that the change, or a state in it, was drawn from: what is deleted with them. */
  @Column({ type: 'uuid', array: true })
  episodes!: string[];

  @Column({ type: 'jsonb', nullable: true })
  before!: unknown;

  @Column({ type: 'jsonb', nullable: true })
  after!: unknown;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  at!: Date;

  @Column({ type: 'uuid', name: 'change_uid', nullable: true })
  changeUid!: string | null;

  /** Of a removal by ingestion: the messages that said that it was never true. */
  @Column({ type: 'jsonb', name: 'said_by', nullable: true })
  saidBy!: unknown;

  /** The client that asked for it. */
  @Column({ type: 'jsonb', nullable: true })
  author!: unknown;
}
