import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';

/** Episodes that are deleted: late messages about them are refused. */
@Entity({ schema: SCHEMA, name: 'deleted_episodes' })
@Index('deleted_episodes_by_uid', ['uid'], { unique: true })
export class DeletedEpisodeEntity {
  @PrimaryColumn({ type: 'uuid', name: 'project_uid', primaryKeyConstraintName: 'deleted_episodes_pkey' })
  projectUid!: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'deleted_episodes_pkey' })
  uid!: string;

  @Column({ type: 'timestamptz', name: 'deleted_at', default: () => 'now()' })
  deletedAt!: Date;

  @Column({ type: 'timestamptz', name: 'added_until', default: () => 'now()' })
  addedUntil!: Date;
}
