import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';
import { type SetKind } from './set-identity.js';

@Entity({ schema: SCHEMA, name: 'sets' })
@Check('sets_kind_check', `kind = ANY (ARRAY['project_set', 'set_type', 'user_set', 'other_set'])`)
@Index('sets_of_org', ['orgId', 'createdAt', 'uid'])
@Index('sets_with_model', ['llmName'], { where: 'llm_name IS NOT NULL' })
@Index('sets_of_project', ['projectUid', 'createdAt', 'uid'], { where: 'project_uid IS NOT NULL' })
export class SetEntity {
  /** Derived from owner and id, so that it need not be looked up. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'sets_pkey' })
  uid!: string;

  @Column({ type: 'text', name: 'org_id' })
  orgId!: string;

  @ForeignKey('projects', { name: 'sets_project_uid_fkey' })
  @Column({ type: 'uuid', name: 'project_uid', nullable: true })
  projectUid!: string | null;

  @Column({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  kind!: SetKind;

  /** Keys of the identity, sorted, and their values. */
  @Column({ type: 'text', array: true })
  tags!: string[];

  @Column({ type: 'jsonb', name: 'tag_values' })
  tagValues!: Readonly<Record<string, string>>;

  @Column({ type: 'text', name: 'embedder_name', nullable: true })
  embedderName!: string | null;

  @Column({ type: 'text', name: 'llm_name', nullable: true })
  llmName!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'boolean', name: 'is_made_up', default: false })
  isMadeUp!: boolean;
}
