import { type QuotaName } from '@loci/contracts';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Quotas of organizations that differ from the defaults. */
@Entity({ name: 'quota_limits' })
@Check('quota_limits_max_check', 'max >= 0')
export class QuotaLimitEntity {
  @PrimaryColumn({ type: 'text', name: 'org_id', primaryKeyConstraintName: 'quota_limits_pkey' })
  orgId!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'quota_limits_pkey' })
  quota!: QuotaName;

  @Column({ type: 'bigint' })
  max!: string;

  @Column({ type: 'timestamptz', name: 'changed_at', default: () => 'now()' })
  changedAt!: Date;
}
