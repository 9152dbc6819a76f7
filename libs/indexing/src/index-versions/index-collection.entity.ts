import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Every collection of the vector index that ever was. */
@Entity({ name: 'index_collections' })
export class IndexCollectionEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'index_collections_pkey' })
  fingerprint!: string;

  @Column({ type: 'int' })
  dimensions!: number;
}
