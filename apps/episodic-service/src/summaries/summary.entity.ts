import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';

/** The running summary of each project. */
@Entity({ schema: SCHEMA, name: 'summaries' })
@Index('summaries_unfinished', ['unfinished'], { where: 'unfinished > 1' })
@Index('summaries_wanted', ['wantedAt'], { where: 'wanted_at IS NOT NULL' })
export class SummaryEntity {
  @ForeignKey('projects', { name: 'summaries_project_uid_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'project_uid', primaryKeyConstraintName: 'summaries_pkey' })
  projectUid!: string;

  @Column({ type: 'text', default: '' })
  text!: string;

  /** Episodes before this time and uid are left out; null: none. */
  @Column({ type: 'timestamptz', name: 'begins_at', nullable: true })
  beginsAt!: Date | null;

  @Column({ type: 'uuid', name: 'begins_uid', nullable: true })
  beginsUid!: string | null;

  /** Every earlier episode that has not been left out is in the text; null: nothing is known to be. */
  @Column({ type: 'timestamptz', name: 'complete_to', nullable: true })
  completeTo!: Date | null;

  /** The oldest episode that came since what is being summarised was read; null: none. */
  @Column({ type: 'timestamptz', name: 'late_from', nullable: true })
  lateFrom!: Date | null;

  /** The text was thrown away, and episodes are still marked as being in it. */
  @Column({ type: 'boolean', name: 'is_reset', default: false })
  isReset!: boolean;

  /** Grows with every claim and every reset: who holds an older one must not write. */
  @Column({ type: 'int', default: 0 })
  fence!: number;

  @Column({ type: 'timestamptz', name: 'lease_until', nullable: true })
  leaseUntil!: Date | null;

  /** Attempts to write it, in a row, that began and did not end in order. */
  @Column({ type: 'int', default: 0 })
  unfinished!: number;

  @Column({ type: 'timestamptz', name: 'claimed_at', nullable: true })
  claimedAt!: Date | null;

  /** Something came that may have to be summarised. */
  @Column({ type: 'timestamptz', name: 'wanted_at', nullable: true })
  wantedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'ordered_at', nullable: true })
  orderedAt!: Date | null;

  @Column({ type: 'int', default: 0 })
  failures!: number;

  /** How often what is read at once is halved, since a model refused more. */
  @Column({ type: 'int', default: 0 })
  halvings!: number;

  /** The episode that a model refused last when it read it alone; null: none since the text grew. */
  @Column({ type: 'uuid', name: 'refused_uid', nullable: true })
  refusedUid!: string | null;

  /** How often, in a row. */
  @Column({ type: 'int', default: 0 })
  refusals!: number;

  @Column({ type: 'timestamptz', name: 'retry_at', nullable: true })
  retryAt!: Date | null;
}
