import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Every collection of the vector index that ever was. */
@Entity({ name: 'index_collections' })
export class IndexCollectionEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'index_collections_pkey' })
  fingerprint!: string;

  @Column({ type: 'int' })
  dimensions!: number;

  /** When a worker compares some of it with the table next. */
  @Column({ type: 'timestamptz', name: 'compare_at', default: () => 'now()' })
  compareAt!: Date;

  /** Where the comparison that is under way goes on; null when none is. */
  @Column({ type: 'uuid', name: 'comparing_from', nullable: true })
  comparingFrom!: string | null;

  /** Whether that comparison found a difference: it goes on without pauses. */
  @Column({ type: 'boolean', name: 'differs', default: false })
  differs!: boolean;

  /** When all of it was last compared. */
  @Column({ type: 'timestamptz', name: 'compared_at', nullable: true })
  comparedAt!: Date | null;
}
