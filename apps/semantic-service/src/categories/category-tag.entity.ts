import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';

@Entity({ schema: SCHEMA, name: 'category_tags' })
@Index('category_tags_of', ['categoryUid'])
export class CategoryTagEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'category_tags_pkey' })
  uid!: string;

  @ForeignKey('categories', { name: 'category_tags_category_uid_fkey', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'category_uid' })
  categoryUid!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  description!: string;
}
