import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** How many rows wait for their vectors: the sum of `items`, which triggers keep. See `createIndexBacklog`. */
@Entity({ name: 'index_backlog' })
export class IndexBacklogEntity {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'index_backlog_pkey',
  })
  slot!: number;

  @Column({ type: 'bigint' })
  items!: string;
}
