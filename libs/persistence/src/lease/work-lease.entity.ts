import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Work that has no row of its own to lease, while it is under way; what was set aside stays. */
@Entity({ name: 'work_leases' })
export class WorkLeaseEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'work_leases_pkey' })
  kind!: string;

  /** What the work is about: a project, for instance. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'work_leases_pkey' })
  key!: string;

  @Column({ type: 'timestamptz', name: 'lease_until', nullable: true })
  leaseUntil!: Date | null;

  @Column({ type: 'uuid', nullable: true })
  token!: string | null;

  /** Attempts in a row that began and did not end in order. */
  @Column({ type: 'int', default: 0 })
  unfinished!: number;
}
