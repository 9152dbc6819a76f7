import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';

/** Categories that clients made: of one set, or a template of a type of sets. */
@Entity({ schema: SCHEMA, name: 'categories' })
@Check('categories_ttl_seconds_check', 'ttl_seconds > 0')
@Check('categories_place', 'num_nonnulls(set_uid, set_type_uid) = 1')
// not compared: of expressions, or no B-tree
@Index('categories_name', { synchronize: false })
@Index('categories_of_org', ['orgId', 'createdAt', 'uid'])
@Index('categories_of_project', ['projectUid', 'createdAt', 'uid'], { where: 'project_uid IS NOT NULL' })
@Index('categories_of_type', ['setTypeUid'], { where: 'set_type_uid IS NOT NULL' })
export class CategoryEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'categories_pkey' })
  uid!: string;

  @Column({ type: 'text', name: 'org_id' })
  orgId!: string;

  @ForeignKey('projects', { name: 'categories_project_uid_fkey' })
  @Column({ type: 'uuid', name: 'project_uid', nullable: true })
  projectUid!: string | null;

  @Column({ type: 'uuid', name: 'set_uid', nullable: true })
  setUid!: string | null;

  /** A template: every set of the type inherits it. */
  @ForeignKey('set_types', { name: 'categories_set_type_uid_fkey', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'set_type_uid', nullable: true })
  setTypeUid!: string | null;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  prompt!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  /** How long its features hold without being said again; NULL: for good. */
  @Column({ type: 'int', name: 'ttl_seconds', nullable: true })
  ttlSeconds!: number | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
