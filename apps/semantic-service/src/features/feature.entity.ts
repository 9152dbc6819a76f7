import { type DatePrecision, type FeatureOrigin } from '@loci/contracts';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';
import { type DateStatement } from './validity.js';

const A_PRECISION = `= ANY (ARRAY['year', 'month', 'day', 'time'])`;

@Entity({ schema: SCHEMA, name: 'features' })
@Check('features_valid_from_precision_check', `valid_from_precision ${A_PRECISION}`)
@Check('features_valid_until_precision_check', `valid_until_precision ${A_PRECISION}`)
@Index('features_by_uid', ['uid'], { unique: true })
@Index('features_pinned', ['setUid'], { where: 'is_pinned AND (deleted_at IS NULL)' })
@Index('features_of_organization', ['orgId', 'createdAt', 'uid'], { where: 'project_uid IS NULL' })
@Index('features_of_project', ['projectUid', 'createdAt', 'uid'], { where: 'project_uid IS NOT NULL' })
@Index('features_of_subject', ['setUid', 'subject', 'category'], { where: 'deleted_at IS NULL' })
@Index('features_recent', ['setUid', 'subject', 'updatedAt', 'uid'], { where: 'deleted_at IS NULL' })
@Index('features_of_set', ['setUid', 'createdAt', 'uid'])
// not compared: of expressions, or no B-tree
@Index('features_once', { synchronize: false })
@Index('features_contestable', ['setUid', 'name', 'subject', 'createdAt', 'uid'], {
  where: '(is_single_valued IS NOT FALSE) AND (superseded_by IS NULL) AND (deleted_at IS NULL)',
})
@Index('features_single_valued_name', ['setUid', 'name', 'subject', 'createdAt', 'uid'], {
  where: 'is_single_valued AND (superseded_by IS NULL) AND (deleted_at IS NULL)',
})
@Index('features_single_valued', ['orgId', 'projectUid'], {
  where: 'is_single_valued AND (superseded_by IS NULL) AND (deleted_at IS NULL)',
})
@Index('features_contradicting', ['orgId', 'projectUid'], {
  where: '(contradicts IS NOT NULL) AND (superseded_by IS NULL) AND (deleted_at IS NULL)',
})
@Index('features_dates', { synchronize: false })
@Index('features_overdue', ['updatedAt'], { where: '(indexed_at IS NULL) AND (deleted_at IS NULL)' })
@Index('features_tombstones', ['deletedAt'], { where: 'deleted_at IS NOT NULL' })
@Index('features_carried', ['setUid', 'carriedTo'], {
  where: '(indexed_at IS NOT NULL) AND (deleted_at IS NULL)',
})
@Index('features_waiting', ['setUid', 'updatedAt', 'carriedTo'], {
  where: '(indexed_at IS NULL) AND (deleted_at IS NULL)',
})
export class FeatureEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'features_pkey' })
  uid!: string;

  @ForeignKey('sets', { name: 'features_set_uid_fkey' })
  @PrimaryColumn({ type: 'uuid', name: 'set_uid', primaryKeyConstraintName: 'features_pkey' })
  setUid!: string;

  @Column({ type: 'text', name: 'org_id' })
  orgId!: string;

  @ForeignKey('projects', { name: 'features_project_uid_fkey' })
  @Column({ type: 'uuid', name: 'project_uid', nullable: true })
  projectUid!: string | null;

  /** Whom it is about, see `FeatureContent`. */
  @Column({ type: 'text', nullable: true })
  subject!: string | null;

  @Column({ type: 'text' })
  category!: string;

  @Column({ type: 'text' })
  tag!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  value!: string;

  @Column({ type: 'jsonb' })
  metadata!: Readonly<Record<string, string>>;

  /** Whether a client wrote it, or a part of it: then it stands without citations too. */
  @Column({ type: 'boolean', name: 'by_client' })
  byClient!: boolean;

  /** Grows with every change of what is embedded. */
  @Column({ type: 'int', default: 1 })
  revision!: number;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;

  /** A tombstone: invisible to every reader, removed once its vector is. */
  @Column({ type: 'timestamptz', name: 'deleted_at', nullable: true })
  deletedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'indexed_at', nullable: true })
  indexedAt!: Date | null;

  /** When indexing was last ordered by the sweeper. */
  @Column({ type: 'timestamptz', name: 'ordered_at', nullable: true })
  orderedAt!: Date | null;

  @Column({ type: 'uuid', name: 'carried_to', nullable: true })
  carriedTo!: string | null;

  /** Whether its messages are of trusted producers. What clients write is, too. */
  @Column({ type: 'boolean', name: 'is_trusted', default: true })
  isTrusted!: boolean;

  /** See `Partition`. */
  @Column({ type: 'uuid', name: 'source_project_uid', nullable: true })
  sourceProjectUid!: string | null;

  /** Whether a client wants it first where it asks so. */
  @Column({ type: 'boolean', name: 'is_pinned', default: false })
  isPinned!: boolean;

  /** Whether a client decided last whether it is pinned; false where a merge, or undo, brought or took the pin. */
  @Column({ type: 'boolean', name: 'is_pin_by_client', default: false })
  isPinByClient!: boolean;

  /** Whether its name has one value at a time; NULL where nothing says so. */
  @Column({ type: 'boolean', name: 'is_single_valued', nullable: true })
  isSingleValued!: boolean | null;

  /** Uids of those that a consolidation found to contradict it: where these name it, too, both are in conflict. NULL: none. */
  @Column({ type: 'uuid', array: true, nullable: true })
  contradicts!: readonly string[] | null;

  /** Who determined last what it says; an older version did not note it. */
  @Column({ type: 'jsonb', nullable: true })
  origin!: FeatureOrigin | null;

  /** Since when it holds, where that was said: what `dates` come to, as the four below. */
  @Column({ type: 'timestamptz', name: 'valid_from', nullable: true })
  validFrom!: Date | null;

  @Column({ type: 'text', name: 'valid_from_precision', nullable: true })
  validFromPrecision!: DatePrecision | null;

  /** The first moment at which it does not hold any more. */
  @Column({ type: 'timestamptz', name: 'valid_until', nullable: true })
  validUntil!: Date | null;

  @Column({ type: 'text', name: 'valid_until_precision', nullable: true })
  validUntilPrecision!: DatePrecision | null;

  /** The feature by which it was replaced; not compared with those that there are. */
  @Column({ type: 'uuid', name: 'superseded_by', nullable: true })
  supersededBy!: string | null;

  /** When it expires unless it is said again: see `expiresAt`. */
  @Column({ type: 'timestamptz', name: 'expires_at', nullable: true })
  expiresAt!: Date | null;

  /** What was said of when it holds, and by which messages. */
  @Column({ type: 'jsonb', nullable: true })
  dates!: readonly DateStatement[] | null;

  /** When what it says was stored; an older version did not note it. */
  @Column({ type: 'timestamptz', name: 'recorded_at', nullable: true })
  recordedAt!: Date | null;
}
