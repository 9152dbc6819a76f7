import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../../database.js';

/** Queues of an organization that take turns. */
@Entity({ schema: SCHEMA, name: 'ingestion_queues' })
@Index('ingestion_queues_turn', ['orgId', 'turn', 'served', 'projectUid', 'llmName'])
export class IngestionQueueEntity {
  @PrimaryColumn({ type: 'text', name: 'org_id', primaryKeyConstraintName: 'ingestion_queues_pkey' })
  orgId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'project_uid', primaryKeyConstraintName: 'ingestion_queues_pkey' })
  projectUid!: string;

  @PrimaryColumn({ type: 'text', name: 'llm_name', primaryKeyConstraintName: 'ingestion_queues_pkey' })
  llmName!: string;

  @Column({ type: 'float8' })
  turn!: number;

  @Column({ type: 'bigint', default: 0 })
  served!: string;
}
