import { type ProjectConfig } from '@loci/contracts';
import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { SCHEMA } from '../database.js';

@Entity({ schema: SCHEMA, name: 'projects' })
@Unique('projects_name', ['orgId', 'projectId'])
@Index('projects_being_deleted', ['announcedAt'], { where: 'deleted_at IS NOT NULL' })
@Index('projects_by_organization_skeleton', ['orgSkeleton', 'orgId'])
@Index('projects_by_skeleton', ['orgId', 'projectSkeleton', 'projectId'])
@Index('projects_without_skeleton', ['uid'], { where: 'project_skeleton IS NULL' })
export class ProjectEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'projects_pkey' })
  uid!: string;

  @Column({ type: 'text', name: 'org_id' })
  orgId!: string;

  @Column({ type: 'text', name: 'project_id' })
  projectId!: string;

  @Column({ type: 'text' })
  description!: string;

  @Column({ type: 'jsonb' })
  config!: ProjectConfig;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  /** A deleted project keeps its name until every holder of its data has erased them. */
  @Column({ type: 'timestamptz', name: 'deleted_at', nullable: true })
  deletedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'announced_at', nullable: true })
  announcedAt!: Date | null;

  @Column({ type: 'text', array: true, name: 'pending_erasures', default: [] })
  pendingErasures!: string[];

  @Column({ type: 'text', default: '' })
  embedder!: string;

  @Column({ type: 'text', default: '' })
  reranker!: string;

  @Column({ type: 'int', name: 'models_revision', default: 0 })
  modelsRevision!: number;

  /** Null: made by a process of the version before, until the next start. */
  @Column({ type: 'text', name: 'org_skeleton', nullable: true })
  orgSkeleton!: string | null;

  @Column({ type: 'text', name: 'project_skeleton', nullable: true })
  projectSkeleton!: string | null;
}
