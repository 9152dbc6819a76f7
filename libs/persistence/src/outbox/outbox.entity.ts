import { type HeaderFields } from '@loci/messaging';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Messages that were committed with the data that they announce, and wait to be relayed. */
@Entity({ name: 'outbox' })
@Index('outbox_unsent', ['id'], { where: 'sent_at IS NULL' })
export class OutboxEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'outbox_pkey' })
  id!: string;

  /** The partition, by the time of adding: see `partitionOutbox`. */
  @PrimaryColumn({
    type: 'smallint',
    primaryKeyConstraintName: 'outbox_pkey',
    // as TypeORM reads it, which drops the casts
    default: () => '((((EXTRACT(epoch FROM now()))/ 300) % (4)))',
  })
  part!: number;

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
