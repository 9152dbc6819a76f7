import { type NotificationType } from '@loci/contracts';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';

/** A receiver of events, and how far it is. What belongs to a project goes with it. */
@Entity({ schema: SCHEMA, name: 'webhooks' })
@Check('webhooks_place', '(project_uid IS NULL) OR (org_id IS NOT NULL)')
@Index('webhooks_of_organization', ['orgId', 'id'])
@Index('webhooks_of_project', ['projectUid'])
export class WebhookEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'webhooks_pkey' })
  id!: string;

  /** Null: of the deployment. */
  @Column({ type: 'text', name: 'org_id', nullable: true })
  orgId!: string | null;

  /** Null: of the organization as a whole. */
  @ForeignKey('projects', { name: 'webhooks_project_uid_fkey', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'project_uid', nullable: true })
  projectUid!: string | null;

  @Column({ type: 'text' })
  url!: string;

  @Column({ type: 'text' })
  description!: string;

  /** Null: all. */
  @Column({ type: 'text', array: true, nullable: true })
  types!: NotificationType[] | null;

  @Column({ type: 'boolean', name: 'is_enabled', default: true })
  isEnabled!: boolean;

  @Column({ type: 'text', name: 'disabled_reason', nullable: true })
  disabledReason!: string | null;

  /** Encrypted. */
  @Column({ type: 'text' })
  secret!: string;

  /** The secret before the last rotation, as long as its grace lasts. */
  @Column({ type: 'text', name: 'former_secret', nullable: true })
  formerSecret!: string | null;

  @Column({ type: 'timestamptz', name: 'former_expires_at', nullable: true })
  formerExpiresAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'rotated_at', nullable: true })
  rotatedAt!: Date | null;

  /** Of the last notification that is done with. */
  @Column({ type: 'bigint' })
  position!: string;

  /** How often the next event could not be delivered yet. */
  @Column({ type: 'int', default: 0 })
  attempts!: number;

  @Column({ type: 'timestamptz', name: 'next_attempt_at', default: () => 'now()' })
  nextAttemptAt!: Date;

  @Column({ type: 'timestamptz', name: 'failing_since', nullable: true })
  failingSince!: Date | null;

  @Column({ type: 'text', name: 'last_error', nullable: true })
  lastError!: string | null;

  @Column({ type: 'timestamptz', name: 'last_delivered_at', nullable: true })
  lastDeliveredAt!: Date | null;

  /** Until when no other process delivers to it. */
  @Column({ type: 'timestamptz', name: 'lease_until', nullable: true })
  leaseUntil!: Date | null;

  @Column({ type: 'uuid', name: 'lease_token', nullable: true })
  leaseToken!: string | null;

  @Column({ type: 'int', default: 0 })
  unfinished!: number;
}
