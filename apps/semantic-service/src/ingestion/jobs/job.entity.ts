import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../../database.js';

/** What is to be learned: one row for each set that has messages waiting. */
@Entity({ schema: SCHEMA, name: 'ingestion_jobs' })
@Check('ingestion_jobs_deferred_check', `(deferred >= 0) AND ((deferred > 0) = (deferred_since IS NOT NULL))`)
@Check('ingestion_jobs_fresh_check', 'fresh >= 0')
@Check('ingestion_jobs_leased', `(state = 'running') = (lease_until IS NOT NULL)`)
@Check('ingestion_jobs_state_check', `state = ANY (ARRAY['idle', 'due', 'running', 'retrying', 'blocked'])`)
@Check('ingestion_jobs_unfinished_check', 'unfinished >= 0')
@Check('ingestion_jobs_waiting_check', 'waiting >= 0')
@Index('ingestion_jobs_deferred', ['deferredSince'], { where: 'deferred > 0' })
@Index('ingestion_jobs_fresh', ['freshSince'], {
  where: `(fresh > 0) AND (state = ANY (ARRAY['idle', 'retrying']))`,
})
@Index('ingestion_jobs_later', ['runAfter'], {
  where: `(state = 'retrying') OR ((state = 'blocked') AND (code IS DISTINCT FROM 'resource_not_ready'))`,
})
@Index('ingestion_jobs_leases', ['leaseUntil'], { where: `state = 'running'` })
@Index('ingestion_jobs_of_org', ['orgId', 'projectUid'])
@Index('ingestion_jobs_ordered', ['orderedAt'], { where: `state = 'due'` })
@Index('ingestion_jobs_unready', ['llmName', 'runAfter'], {
  where: `(state = 'blocked') AND (code = 'resource_not_ready')`,
})
// not compared: of expressions, or no B-tree
@Index('ingestion_jobs_many', { synchronize: false })
@Index('ingestion_jobs_queue', { synchronize: false })
export class JobEntity {
  @ForeignKey('sets', { name: 'ingestion_jobs_set_uid_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'set_uid', primaryKeyConstraintName: 'ingestion_jobs_pkey' })
  setUid!: string;

  @Column({ type: 'text', name: 'org_id' })
  orgId!: string;

  /** Absent at the level of the organization. */
  @Column({ type: 'uuid', name: 'project_uid', nullable: true })
  projectUid!: string | null;

  @Column({ type: 'text', default: 'idle' })
  state!: string;

  /** Messages that are not ingested, and those of them that no pass has taken up yet. */
  @Column({ type: 'int', default: 0 })
  waiting!: number;

  @Column({ type: 'int', default: 0 })
  fresh!: number;

  /** Those of the waiting that have no row: they are found in the order of adding once something can learn from them. */
  @Column({ type: 'int', default: 0 })
  deferred!: number;

  @Column({ type: 'timestamptz', name: 'deferred_since', nullable: true })
  deferredSince!: Date | null;

  /** Messages that were learned from and have no row any more. */
  @Column({ type: 'int', default: 0 })
  learned!: number;

  /** Messages that it waits for beyond the trigger, because the next pass takes a call more, to consolidate. */
  @Column({ type: 'int', name: 'put_off', default: 0 })
  putOff!: number;

  @Column({ type: 'timestamptz', name: 'fresh_since', nullable: true })
  freshSince!: Date | null;

  /** The fencing token: grows with every claim, and a worker with an older one cannot write. */
  @Column({ type: 'bigint', default: 0 })
  attempt!: string;

  @Column({ type: 'timestamptz', name: 'lease_until', nullable: true })
  leaseUntil!: Date | null;

  @Column({ type: 'timestamptz', name: 'run_after', default: () => 'now()' })
  runAfter!: Date;

  @Column({ type: 'timestamptz', name: 'ordered_at', nullable: true })
  orderedAt!: Date | null;

  /** Why it does not go on at this moment. */
  @Column({ type: 'text', nullable: true })
  code!: string | null;

  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  @Column({ type: 'timestamptz', name: 'changed_at', default: () => 'now()' })
  changedAt!: Date;

  @Column({ type: 'text', name: 'llm_name', default: '' })
  llmName!: string;

  @Column({ type: 'int', default: 0 })
  unfinished!: number;
}
