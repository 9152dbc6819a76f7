import { Column, Entity, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../../database.js';

/** How far each reconciliation has come. */
@Entity({ schema: SCHEMA, name: 'ingestion_cursors' })
export class CursorEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'ingestion_cursors_pkey' })
  name!: string;

  @Column({ type: 'text', array: true, nullable: true })
  position!: string[] | null;

  @Column({ type: 'timestamptz', name: 'next_at', default: () => 'now()' })
  nextAt!: Date;
}
