import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type IndexVersion } from './index-version.js';

/** Where the vectors of each owner are. */
@Entity({ name: 'index_spaces' })
@Check('index_spaces_state_check', `state = ANY (ARRAY['active', 'building', 'retiring'])`)
@Index('index_spaces_active', ['ownerUid'], { unique: true, where: `state = 'active'` })
@Index('index_spaces_building', ['ownerUid'], { unique: true, where: `state = 'building'` })
@Index('index_spaces_changing', ['changedAt'], { where: `state <> 'active'` })
@Index('index_spaces_fingerprint', ['fingerprint'])
@Index('index_spaces_unfinished', ['unfinished'], { where: 'unfinished > 1' })
export class IndexVersionEntity {
  @PrimaryColumn({ type: 'uuid', name: 'owner_uid', primaryKeyConstraintName: 'index_spaces_pkey' })
  ownerUid!: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'index_spaces_pkey' })
  uid!: string;

  @ForeignKey('index_collections', { name: 'index_spaces_fingerprint_fkey' })
  @Column({ type: 'text' })
  fingerprint!: string;

  @Column({ type: 'int' })
  dimensions!: number;

  /** Its name in the registry. */
  @Column({ type: 'text' })
  embedder!: string;

  @Column({ type: 'text' })
  state!: IndexVersion['state'];

  @Column({ type: 'timestamptz', name: 'changed_at', default: () => 'now()' })
  changedAt!: Date;

  /** Of the worker that builds it; also the end of a pause. */
  @Column({ type: 'timestamptz', name: 'lease_until', nullable: true })
  leaseUntil!: Date | null;

  /** Grows with every claim: a worker with an older one cannot renew or release. */
  @Column({ type: 'bigint', default: 0 })
  fence!: string;

  /** Attempts to build it, in a row, that began and did not end in order. */
  @Column({ type: 'int', default: 0 })
  unfinished!: number;

  /** Rows to re-embed, and those that are re-embedded. */
  @Column({ type: 'int', default: 0 })
  items!: number;

  @Column({ type: 'int', default: 0 })
  carried!: number;

  @Column({ type: 'text', nullable: true })
  problem!: string | null;
}
