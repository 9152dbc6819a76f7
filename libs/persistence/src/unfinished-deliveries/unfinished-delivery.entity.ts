import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Messages that were delivered before, and that a consumer has begun to handle. */
@Entity({ name: 'unfinished_deliveries' })
export class UnfinishedDeliveryEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'unfinished_deliveries_pkey' })
  consumer!: string;

  @PrimaryColumn({
    type: 'text',
    name: 'message_id',
    primaryKeyConstraintName: 'unfinished_deliveries_pkey',
  })
  messageId!: string;

  /** Attempts that have begun and not ended. */
  @Column({ type: 'int', default: 1 })
  attempts!: number;

  @Column({ type: 'timestamptz', name: 'noted_at', default: () => 'now()' })
  notedAt!: Date;
}
