import { type IngestedSet } from '@loci/contracts';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';
import { UNKNOWN_CONVERSATION } from './conversations.js';

@Entity({ schema: SCHEMA, name: 'episodes' })
@Index('episodes_expiring', ['expiresAt'], { where: '(expires_at IS NOT NULL) AND (deleted_at IS NULL)' })
@Index('episodes_by_uid', ['uid'], { unique: true })
@Index('episodes_in_order', ['projectUid', 'createdAt', 'uid'], { where: 'deleted_at IS NULL' })
@Index('episodes_in_conversation', ['projectUid', 'conversation', 'createdAt', 'uid'], {
  where: 'in_long_term AND (deleted_at IS NULL)',
})
@Index('episodes_without_conversation', ['addedAt'], {
  where: `(conversation = '${UNKNOWN_CONVERSATION}'::uuid)`,
})
@Index('episodes_in_summary', ['projectUid'], { where: 'in_summary' })
@Index('episodes_in_order_of_adding', ['addedAt', 'uid'], { where: 'is_semantic AND (deleted_at IS NULL)' })
@Index('episodes_tombstones', ['deletedAt'], { where: 'deleted_at IS NOT NULL' })
@Index('episodes_tombstones_of_project', ['projectUid', 'deletedAt'], { where: 'deleted_at IS NOT NULL' })
@Index('episodes_ordered_by_age', ['addedAt'], {
  where: `(indexed_at IS NULL) AND in_long_term AND (deleted_at IS NULL) AND (ordered_at > '-infinity'::timestamp with time zone)`,
})
@Index('episodes_ordered', ['orderedAt'], {
  where: '(indexed_at IS NULL) AND in_long_term AND (deleted_at IS NULL) AND (ordered_at IS NOT NULL)',
})
@Index('episodes_waiting', ['addedAt'], {
  where: '(indexed_at IS NULL) AND in_long_term AND (deleted_at IS NULL) AND (ordered_at IS NULL)',
})
@Index('episodes_carried', ['projectUid', 'carriedTo'], {
  where: '(indexed_at IS NOT NULL) AND in_long_term AND (deleted_at IS NULL)',
})
@Index('episodes_without_vector', ['projectUid', 'addedAt', 'carriedTo'], {
  where: '(indexed_at IS NULL) AND in_long_term AND (deleted_at IS NULL)',
})
export class EpisodeEntity {
  @ForeignKey('projects', { name: 'episodes_project_uid_fkey' })
  @PrimaryColumn({ type: 'uuid', name: 'project_uid', primaryKeyConstraintName: 'episodes_pkey' })
  projectUid!: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'episodes_pkey' })
  uid!: string;

  @Column({ type: 'text' })
  content!: string;

  @Column({ type: 'text', name: 'producer_id' })
  producerId!: string;

  @Column({ type: 'text', name: 'producer_role' })
  producerRole!: string;

  @Column({ type: 'text', name: 'produced_for_id' })
  producedForId!: string;

  @Column({ type: 'jsonb' })
  metadata!: Readonly<Record<string, string>>;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'added_at', default: () => 'now()' })
  addedAt!: Date;

  @Column({ type: 'boolean', name: 'in_short_term' })
  inShortTerm!: boolean;

  @Column({ type: 'boolean', name: 'in_long_term' })
  inLongTerm!: boolean;

  @Column({ type: 'boolean', name: 'is_semantic' })
  isSemantic!: boolean;

  /** A tombstone: invisible to every reader, removed once its vector is. */
  @Column({ type: 'timestamptz', name: 'deleted_at', nullable: true })
  deletedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'indexed_at', nullable: true })
  indexedAt!: Date | null;

  /** When indexing was last ordered by the sweeper. */
  @Column({ type: 'timestamptz', name: 'ordered_at', nullable: true })
  orderedAt!: Date | null;

  @Column({ type: 'uuid', name: 'embedded_after', nullable: true })
  embeddedAfter!: string | null;

  @Column({ type: 'uuid', name: 'carried_to', nullable: true })
  carriedTo!: string | null;

  @Column({ type: 'boolean', name: 'in_summary', default: false })
  inSummary!: boolean;

  @Column({ type: 'jsonb', nullable: true })
  ingested!: IngestedSet[] | null;

  /** From then on it is invisible to every reader, and the worker deletes it. */
  @Column({ type: 'timestamptz', name: 'expires_at', nullable: true })
  expiresAt!: Date | null;

  @Column({ type: 'text', nullable: true })
  author!: string | null;

  /** Its author speaks for its producer alone. */
  @Column({ type: 'boolean', name: 'is_bound', default: false })
  isBound!: boolean;

  /** See `Conversations`. */
  @Column({ type: 'uuid', default: UNKNOWN_CONVERSATION })
  conversation!: string;
}
