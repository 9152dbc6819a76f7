import { type ChatMessage } from '@loci/models';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../../database.js';
import { type CallKind, type MadeFeature } from './model-call.js';

/** A call of a language model by ingestion. */
@Entity({ schema: SCHEMA, name: 'model_calls' })
@Check('model_calls_kind_check', `kind = ANY (ARRAY['extraction', 'consolidation'])`)
@Index('model_calls_of_project', ['projectUid', 'uid'])
@Index('model_calls_of_set', ['setUid', 'uid'])
@Index('model_calls_expiry', ['expiresAt'])
// not compared: no B-trees
@Index('model_calls_episodes', { synchronize: false })
@Index('model_calls_features', { synchronize: false })
export class ModelCallEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'model_calls_pkey' })
  uid!: string;

  @ForeignKey('sets', { name: 'model_calls_set_uid_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'set_uid', primaryKeyConstraintName: 'model_calls_pkey' })
  setUid!: string;

  @Column({ type: 'text', name: 'org_id' })
  orgId!: string;

  /** Whose messages it shows, also in a set of the organization. */
  @ForeignKey('projects', { name: 'model_calls_project_uid_fkey' })
  @Column({ type: 'uuid', name: 'project_uid' })
  projectUid!: string;

  @Column({ type: 'text' })
  kind!: CallKind;

  @Column({ type: 'text', array: true })
  categories!: string[];

  @Column({ type: 'text' })
  model!: string;

  /** Why it failed. */
  @Column({ type: 'text', nullable: true })
  code!: string | null;

  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  @Column({ type: 'int' })
  replies!: number;

  @Column({ type: 'int', name: 'input_tokens' })
  inputTokens!: number;

  @Column({ type: 'int', name: 'output_tokens' })
  outputTokens!: number;

  @Column({ type: 'numeric', nullable: true })
  cost!: string | null;

  @Column({ type: 'int', name: 'duration_ms' })
  durationMs!: number;

  /** Messages that it learns from. */
  @Column({ type: 'uuid', array: true, name: 'read_uids' })
  readUids!: string[];

  /** All whose words it may show. */
  @Column({ type: 'uuid', array: true, name: 'episode_uids' })
  episodeUids!: string[];

  /** Features that it shows or made. */
  @Column({ type: 'uuid', array: true, name: 'feature_uids' })
  featureUids!: string[];

  @Column({ type: 'jsonb', default: [] })
  made!: readonly MadeFeature[];

  /** Null where the project keeps no texts. */
  @Column({ type: 'jsonb', nullable: true })
  prompt!: readonly ChatMessage[] | null;

  @Column({ type: 'text', nullable: true })
  reply!: string | null;

  @Column({ type: 'boolean', name: 'is_cut' })
  isCut!: boolean;

  @Column({ type: 'timestamptz', name: 'begun_at' })
  begunAt!: Date;

  @Column({ type: 'timestamptz', name: 'expires_at' })
  expiresAt!: Date;
}
