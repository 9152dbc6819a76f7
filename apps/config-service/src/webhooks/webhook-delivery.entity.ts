import { type NotificationType, type WebhookDeliveryStatus } from '@loci/contracts';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';

/** An event on its way to a webhook, from the first try on, for as long as events are kept. */
@Entity({ schema: SCHEMA, name: 'webhook_deliveries' })
@Check('webhook_deliveries_status', `status = ANY (ARRAY['delivered', 'retrying', 'dropped'])`)
@Index('webhook_deliveries_old', ['lastAttemptAt'])
@Index('webhook_deliveries_retrying', ['webhookId'], { where: `status = 'retrying'` })
export class WebhookDeliveryEntity {
  @ForeignKey('webhooks', { name: 'webhook_deliveries_webhook_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'uuid',
    name: 'webhook_id',
    primaryKeyConstraintName: 'webhook_deliveries_pkey',
  })
  webhookId!: string;

  /** Of the notification. */
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'webhook_deliveries_pkey' })
  position!: string;

  /** That of the webhook. */
  @Column({ type: 'text', name: 'org_id', nullable: true })
  orgId!: string | null;

  @Column({ type: 'uuid', name: 'event_id' })
  eventId!: string;

  @Column({ type: 'text' })
  type!: NotificationType;

  @Column({ type: 'text' })
  status!: WebhookDeliveryStatus;

  @Column({ type: 'int' })
  attempts!: number;

  @Column({ type: 'timestamptz', name: 'first_attempt_at', default: () => 'now()' })
  firstAttemptAt!: Date;

  @Column({ type: 'timestamptz', name: 'last_attempt_at', default: () => 'now()' })
  lastAttemptAt!: Date;

  @Column({ type: 'int', name: 'http_status', nullable: true })
  httpStatus!: number | null;

  @Column({ type: 'text', nullable: true })
  error!: string | null;

  @Column({ type: 'int', name: 'duration_ms' })
  durationMs!: number;
}
