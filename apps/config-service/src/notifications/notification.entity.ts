import { type NotificationType } from '@loci/contracts';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { SCHEMA } from '../database.js';

/** What clients were told of, as long as it is kept. What belongs to a project goes with it. */
@Entity({ schema: SCHEMA, name: 'notifications' })
@Check('notifications_place', '(project_uid IS NULL) OR (org_id IS NOT NULL)')
@Unique('notifications_id', ['id'])
@Index('notifications_of_organization', ['orgId', 'position'])
@Index('notifications_of_project', ['projectUid', 'position'])
export class NotificationEntity {
  /** Microseconds since 1970, each greater than the one before. */
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'notifications_pkey' })
  position!: string;

  @Column({ type: 'uuid' })
  id!: string;

  @Column({ type: 'text' })
  type!: NotificationType;

  @Column({ type: 'timestamptz' })
  at!: Date;

  /** Null: of the deployment. */
  @Column({ type: 'text', name: 'org_id', nullable: true })
  orgId!: string | null;

  /** Null: of the organization as a whole. */
  @ForeignKey('projects', { name: 'notifications_project_uid_fkey', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'project_uid', nullable: true })
  projectUid!: string | null;

  @Column({ type: 'jsonb' })
  data!: Readonly<Record<string, unknown>>;
}
