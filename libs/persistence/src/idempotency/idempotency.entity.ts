import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Answers to requests that came with an idempotency key. */
@Entity({ name: 'idempotency' })
@Index('idempotency_expiry', ['expiresAt'])
export class IdempotencyEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'idempotency_pkey' })
  tenant!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'idempotency_pkey' })
  operation!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'idempotency_pkey' })
  key!: string;

  @Column({ type: 'text' })
  fingerprint!: string;

  @Column({ type: 'json' })
  response!: unknown;

  @Column({ type: 'timestamptz', name: 'expires_at' })
  expiresAt!: Date;
}
