import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** How often words are in the texts of each owner. See `createWordStatistics`. */
@Entity({ name: 'word_statistics' })
@Index('word_statistics_due', ['dueAt'], { where: 'due_at IS NOT NULL' })
export class WordStatisticsEntity {
  @PrimaryColumn({ type: 'uuid', name: 'owner_uid', primaryKeyConstraintName: 'word_statistics_pkey' })
  ownerUid!: string;

  /** Grows whenever they are counted. */
  @Column({ type: 'int', default: 0 })
  revision!: number;

  /** That were counted. */
  @Column({ type: 'int', default: 0 })
  texts!: number;

  /** In how many of them each term is: see `CountedWords`. */
  @Column({ type: 'bytea', nullable: true })
  terms!: Buffer | null;

  /** Rows that came or changed since. */
  @Column({ type: 'int', default: 0 })
  changed!: number;

  @Column({ type: 'timestamptz', name: 'due_at', nullable: true })
  dueAt!: Date | null;
}
