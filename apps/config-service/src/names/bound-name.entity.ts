import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';

/** A name under which something is kept that needs no project: keys, webhooks, quotas. It stays when those are gone. */
@Entity({ schema: SCHEMA, name: 'bound_names' })
@Index('bound_names_by_skeleton', ['skeleton', 'orgId', 'projectId'])
export class BoundNameEntity {
  @PrimaryColumn({ type: 'text', name: 'org_id', primaryKeyConstraintName: 'bound_names_pkey' })
  orgId!: string;

  /** Empty: the organization itself. */
  @PrimaryColumn({ type: 'text', name: 'project_id', primaryKeyConstraintName: 'bound_names_pkey' })
  projectId!: string;

  /** Of the project, or of the organization. */
  @Column({ type: 'text' })
  skeleton!: string;
}
