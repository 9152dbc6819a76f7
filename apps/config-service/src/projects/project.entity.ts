import { type ProjectConfig } from '@loci/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';

@Entity({ schema: SCHEMA, name: 'projects' })
export class ProjectEntity {
  @PrimaryColumn({ type: 'uuid' })
  uid!: string;

  @Column({ type: 'text', name: 'org_id' })
  orgId!: string;

  @Column({ type: 'text', name: 'project_id' })
  projectId!: string;

  /** What the names look like (`nameSkeleton`). */
  @Column({ type: 'text', name: 'org_skeleton', nullable: true })
  orgSkeleton!: string | null;

  @Column({ type: 'text', name: 'project_skeleton', nullable: true })
  projectSkeleton!: string | null;

  @Column({ type: 'text' })
  description!: string;

  @Column({ type: 'jsonb' })
  config!: ProjectConfig;

  /** Empty: the default of the deployment. */
  @Column({ type: 'text' })
  embedder!: string;

  /** As `embedder`. */
  @Column({ type: 'text' })
  reranker!: string;

  @Column({ type: 'int', name: 'models_revision' })
  modelsRevision!: number;

  @Column({ type: 'timestamptz', name: 'created_at', insert: false })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'deleted_at', nullable: true })
  deletedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'announced_at', nullable: true })
  announcedAt!: Date | null;

  @Column({ type: 'text', array: true, name: 'pending_erasures' })
  pendingErasures!: string[];
}
