import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';

/** The projects that this service holds data of. */
@Entity({ schema: SCHEMA, name: 'projects' })
@Check('projects_state_check', `state = ANY (ARRAY['open', 'erasing', 'erased'])`)
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

  @Column({ type: 'boolean', default: true })
  enabled!: boolean;

  @Column({ type: 'boolean', name: 'long_term_enabled', default: true })
  longTermEnabled!: boolean;

  @Column({ type: 'boolean', name: 'short_term_enabled', default: true })
  shortTermEnabled!: boolean;

  /** How long its episodes live; 0: until they are deleted. */
  @Column({ type: 'int', name: 'ttl_seconds', default: 0 })
  ttlSeconds!: number;

  @Column({ type: 'timestamptz', name: 'changed_at', default: () => 'now()' })
  changedAt!: Date;

  @Column({ type: 'text', default: '' })
  embedder!: string;

  @Column({ type: 'text', default: '' })
  reranker!: string;

  @Column({ type: 'int', name: 'models_revision', default: 0 })
  modelsRevision!: number;
}
