import { type ActorKind } from '@loci/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';

/** Records of the audit; only the functions of the schema write them. */
@Entity({ schema: SCHEMA, name: 'audit' })
@Index('audit_by_organization', ['orgId', 'id'])
@Index('audit_of_project', ['orgId', 'projectId', 'id'], { where: 'project_id IS NOT NULL' })
@Index('audit_once', { synchronize: false })
export class AuditEntity {
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'audit_pkey1' })
  seq!: string;

  @Column({ type: 'bytea', name: 'prev_hash' })
  prevHash!: Buffer;

  @Column({ type: 'bytea' })
  hash!: Buffer;

  @Column({ type: 'timestamptz', name: 'recorded_at' })
  recordedAt!: Date;

  /** Decided when the record is made: it cannot be removed sooner. */
  @Column({ type: 'timestamptz', name: 'expires_at' })
  expiresAt!: Date;

  /** Of the operation: its beginning and its outcome are two records. */
  @Column({ type: 'uuid' })
  id!: string;

  @Column({ type: 'timestamptz' })
  at!: Date;

  @Column({ type: 'text', name: 'request_id' })
  requestId!: string;

  @Column({ type: 'text', name: 'client_address', nullable: true })
  clientAddress!: string | null;

  @Column({ type: 'text', name: 'actor_kind' })
  actorKind!: ActorKind;

  @Column({ type: 'text' })
  actor!: string;

  @Column({ type: 'text', name: 'actor_org_id', nullable: true })
  actorOrgId!: string | null;

  @Column({ type: 'text' })
  operation!: string;

  @Column({ type: 'text', name: 'org_id', nullable: true })
  orgId!: string | null;

  @Column({ type: 'text', name: 'project_id', nullable: true })
  projectId!: string | null;

  @Column({ type: 'text', array: true })
  resources!: string[];

  @Column({ type: 'int', name: 'resource_count' })
  resourceCount!: number;

  /** Absent until the outcome is known. */
  @Column({ type: 'int', nullable: true })
  status!: number | null;

  @Column({ type: 'text', nullable: true })
  code!: string | null;
}
