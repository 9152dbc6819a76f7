import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { SCHEMA } from '../../database.js';

/** Messages that wait, and jobs by their state: sums over all rows, which triggers of the jobs keep. */
@Entity({ schema: SCHEMA, name: 'ingestion_counts' })
export class IngestionCountEntity {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'ingestion_counts_pkey',
  })
  slot!: number;

  @Column({ type: 'bigint' })
  waiting!: string;

  @Column({ type: 'bigint' })
  idle!: string;

  @Column({ type: 'bigint' })
  due!: string;

  @Column({ type: 'bigint' })
  running!: string;

  @Column({ type: 'bigint' })
  retrying!: string;

  @Column({ type: 'bigint' })
  blocked!: string;
}
