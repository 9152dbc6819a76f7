import { Column, Entity, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';

/** What the configuration file had when it was read or written last. */
@Entity({ schema: SCHEMA, name: 'configuration_file_entries' })
export class SeenEntryEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'configuration_file_entries_pkey' })
  path!: string;

  /** Of the entry as the file had it when we read or wrote it last. */
  @Column({ type: 'text' })
  digest!: string;
}
