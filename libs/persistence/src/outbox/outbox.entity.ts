import { type HeaderFields } from '@loci/messaging';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Messages that were committed with the data that they announce, and wait to be relayed. */
@Entity({ name: 'outbox' })
@Index('outbox_sent', ['sentAt'], { where: 'sent_at IS NOT NULL' })
@Index('outbox_unsent', ['id'], { where: 'sent_at IS NULL' })
export class OutboxEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'outbox_pkey' })
  id!: string;

  @Column({ type: 'text' })
  subject!: string;

  @Column({ type: 'jsonb' })
  payload!: unknown;

  @Column({ type: 'jsonb' })
  headers!: HeaderFields;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'sent_at', nullable: true })
  sentAt!: Date | null;
}
