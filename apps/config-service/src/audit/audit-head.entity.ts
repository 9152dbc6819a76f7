import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';

/** One row: the last record of the chain. */
@Entity({ schema: SCHEMA, name: 'audit_head' })
@Check('audit_head_one_check', 'one')
export class AuditHeadEntity {
  @PrimaryColumn({ type: 'boolean', default: true, primaryKeyConstraintName: 'audit_head_pkey' })
  one!: boolean;

  @Column({ type: 'bigint' })
  seq!: string;

  @Column({ type: 'bytea' })
  hash!: Buffer;

  @Column({ type: 'timestamptz', name: 'recorded_at' })
  recordedAt!: Date;
}
