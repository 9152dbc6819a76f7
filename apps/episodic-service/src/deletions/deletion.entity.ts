import { type DeletionState, type Filter } from '@loci/contracts';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { NIL } from 'uuid';
import { SCHEMA } from '../database.js';

/** Deletions by a filter. */
@Entity({ schema: SCHEMA, name: 'deletions' })
@Check('deletions_state_check', `state = ANY (ARRAY['deleting', 'purging', 'done'])`)
@Index('deletions_open', ['nextAt'], { where: `state <> 'done'` })
@Index('deletions_of_organization', ['organization', 'nextAt'], { where: `state <> 'done'` })
@Index('deletions_of_project', ['projectUid', 'requestedAt'])
@Index('deletions_finished', ['finishedAt'], { where: 'finished_at IS NOT NULL' })
export class DeletionEntity {
  @ForeignKey('projects', { name: 'deletions_project_uid_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'project_uid', primaryKeyConstraintName: 'deletions_pkey' })
  projectUid!: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'deletions_pkey' })
  uid!: string;

  /** Its id; empty of what a former version added. */
  @Column({ type: 'text', default: '' })
  organization!: string;

  /** Null once it is done: it may say whose messages they were. */
  @Column({ type: 'jsonb', nullable: true })
  filter!: Filter | null;

  @Column({ type: 'text', default: 'deleting' })
  state!: DeletionState;

  @Column({ type: 'timestamptz', name: 'requested_at', default: () => 'now()' })
  requestedAt!: Date;

  @Column({ type: 'int' })
  matching!: number;

  @Column({ type: 'int', default: 0 })
  deleted!: number;

  /** With `seenUid`: every episode up to this one has been looked at. */
  @Column({ type: 'timestamptz', name: 'seen_at', default: () => `'-infinity'` })
  seenAt!: Date;

  @Column({ type: 'uuid', name: 'seen_uid', default: NIL })
  seenUid!: string;

  /** The next step is not before it. */
  @Column({ type: 'timestamptz', name: 'next_at', default: () => 'now()' })
  nextAt!: Date;

  @Column({ type: 'int', default: 0 })
  failures!: number;

  /** The worker that began a step noted it until then. */
  @Column({ type: 'timestamptz', name: 'lease_until', nullable: true })
  leaseUntil!: Date | null;

  @Column({ type: 'int', default: 0 })
  unfinished!: number;

  /** When the last episode was deleted. */
  @Column({ type: 'timestamptz', name: 'emptied_at', nullable: true })
  emptiedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'finished_at', nullable: true })
  finishedAt!: Date | null;
}
