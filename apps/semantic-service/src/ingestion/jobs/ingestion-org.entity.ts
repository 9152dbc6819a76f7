import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../../database.js';

/** Organizations that take turns. */
@Entity({ schema: SCHEMA, name: 'ingestion_orgs' })
@Index('ingestion_orgs_turn', ['turn', 'served', 'orgId'])
export class IngestionOrgEntity {
  @PrimaryColumn({ type: 'text', name: 'org_id', primaryKeyConstraintName: 'ingestion_orgs_pkey' })
  orgId!: string;

  @Column({ type: 'float8' })
  turn!: number;

  @Column({ type: 'bigint', default: 0 })
  served!: string;
}
