import { Column, Entity, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../../database.js';

/** What each organization used of its quota. */
@Entity({ schema: SCHEMA, name: 'model_quota_use' })
export class ModelQuotaUseEntity {
  @PrimaryColumn({ type: 'text', name: 'org_id', primaryKeyConstraintName: 'model_quota_use_pkey' })
  orgId!: string;

  @PrimaryColumn({ type: 'date', primaryKeyConstraintName: 'model_quota_use_pkey' })
  day!: string;

  @Column({ type: 'bigint' })
  calls!: string;

  @Column({ type: 'bigint' })
  tokens!: string;

  /** In the currency of the prices of the models. */
  @Column({ type: 'numeric', default: 0 })
  cost!: string;
}
