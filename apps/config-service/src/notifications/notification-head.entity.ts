import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';

/** The last position that a notification was given. Recording locks this row, so that positions are committed in their sequence. */
@Entity({ schema: SCHEMA, name: 'notification_head' })
@Check('notification_head_is_only', 'is_only')
export class NotificationHeadEntity {
  @PrimaryColumn({
    type: 'boolean',
    name: 'is_only',
    default: true,
    primaryKeyConstraintName: 'notification_head_pkey',
  })
  isOnly!: boolean;

  @Column({ type: 'bigint' })
  position!: string;
}
