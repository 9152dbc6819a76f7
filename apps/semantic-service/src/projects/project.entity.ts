import { type FactsOf } from '@loci/contracts';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';

/** The projects that this service holds data of. */
@Entity({ schema: SCHEMA, name: 'projects' })
@Check('projects_state_check', `state = ANY (ARRAY['open', 'erasing', 'erased'])`)
@Check('projects_facts_of_check', `facts_of = ANY (ARRAY['users', 'project'])`)
@Check('projects_keep_calls_days_check', `keep_calls_days >= 0`)
@Index('projects_open_name', ['orgId', 'projectId'], { unique: true, where: `state = 'open'` })
export class ProjectEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'projects_pkey' })
  uid!: string;

  @Column({ type: 'text', name: 'org_id' })
  orgId!: string;

  @Column({ type: 'text', name: 'project_id' })
  projectId!: string;

  @Column({ type: 'text', default: 'open' })
  state!: 'open' | 'erasing' | 'erased';

  @Column({ type: 'timestamptz', name: 'changed_at', default: () => 'now()' })
  changedAt!: Date;

  @Column({ type: 'text', nullable: true })
  reranker!: string | null;

  @Column({ type: 'int', name: 'models_revision', nullable: true })
  modelsRevision!: number | null;

  /** Whose messages it trusts, see `isTrustedProducer`. */
  @Column({ type: 'text', array: true, name: 'trusted_producers', default: ['*'] })
  trustedProducers!: string[];

  /** Whom its facts are about. */
  @Column({ type: 'text', name: 'facts_of', default: 'users' })
  factsOf!: FactsOf;

  /** For how long calls of models are kept; 0: not at all. */
  @Column({ type: 'int', name: 'keep_calls_days', default: 7 })
  keepCallsDays!: number;

  /** Whether with what they showed and replied. */
  @Column({ type: 'boolean', name: 'keep_call_texts', default: true })
  keepCallTexts!: boolean;
}
