import { Column, Entity, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';

/** How many sets each organization has; triggers on `sets` keep it. */
@Entity({ schema: SCHEMA, name: 'set_counts' })
export class SetCountEntity {
  @PrimaryColumn({ type: 'text', name: 'org_id', primaryKeyConstraintName: 'set_counts_pkey' })
  orgId!: string;

  @Column({ type: 'bigint' })
  sets!: string;
}
