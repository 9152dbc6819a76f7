import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';

@Entity({ schema: SCHEMA, name: 'set_types' })
@Index('set_types_identity', ['orgId', 'projectUid', 'tagsHash'], { unique: true })
@Index('set_types_of_project', ['projectUid'], { where: 'project_uid IS NOT NULL' })
export class SetTypeEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'set_types_pkey' })
  uid!: string;

  @Column({ type: 'text', name: 'org_id' })
  orgId!: string;

  @ForeignKey('projects', { name: 'set_types_project_uid_fkey' })
  @Column({ type: 'uuid', name: 'project_uid', nullable: true })
  projectUid!: string | null;

  /** Sorted, each once. */
  @Column({ type: 'text', array: true })
  tags!: string[];

  @Column({ type: 'text', name: 'tags_hash' })
  tagsHash!: string;

  @Column({ type: 'text', nullable: true })
  name!: string | null;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
