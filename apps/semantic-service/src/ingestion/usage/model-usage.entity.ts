import { Column, Entity, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../../database.js';

/**
 * What the language models cost each owner and day. Of the table only the names of the columns are compared: TypeORM wants
 * a primary key, and a unique index takes its part, as the project is null for what is the organization's.
 */
@Entity({ schema: SCHEMA, name: 'ingestion_usage', synchronize: false })
export class ModelUsageEntity {
  @PrimaryColumn({ type: 'date' })
  day!: string;

  @PrimaryColumn({ type: 'text', name: 'org_id' })
  orgId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'project_uid' })
  projectUid!: string | null;

  @PrimaryColumn({ type: 'text' })
  model!: string;

  @Column({ type: 'bigint' })
  calls!: string;

  @Column({ type: 'bigint' })
  failures!: string;

  @Column({ type: 'bigint', name: 'input_tokens' })
  inputTokens!: string;

  @Column({ type: 'bigint', name: 'output_tokens' })
  outputTokens!: string;

  /** At the prices of each call; absent as long as the model had none. */
  @Column({ type: 'numeric', nullable: true })
  cost!: string | null;
}
