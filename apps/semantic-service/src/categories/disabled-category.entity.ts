import { Entity, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';

/**
 * Categories that sets do not use although they inherit them. Of the table only the names of the columns
 * are compared: TypeORM wants a primary key, and a unique index over a hash of the name takes its part, as a name may be
 * longer than an index takes.
 */
@Entity({ schema: SCHEMA, name: 'disabled_categories', synchronize: false })
export class DisabledCategoryEntity {
  @PrimaryColumn({ type: 'uuid', name: 'set_uid' })
  setUid!: string;

  @PrimaryColumn({ type: 'text' })
  name!: string;
}
