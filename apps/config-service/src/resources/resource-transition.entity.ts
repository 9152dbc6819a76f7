import { type ResourceKind, type ResourceState } from '@loci/contracts';
import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { SCHEMA } from '../database.js';

@Entity({ schema: SCHEMA, name: 'resource_transitions' })
@Index('resource_transitions_of', ['kind', 'name', 'id'])
export class ResourceTransitionEntity {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'resource_transitions_pkey',
  })
  id!: string;

  @Column({ type: 'text' })
  kind!: ResourceKind;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', name: 'from_state', nullable: true })
  fromState!: ResourceState | null;

  @Column({ type: 'text', name: 'to_state' })
  toState!: ResourceState;

  @Column({ type: 'text' })
  reason!: string;

  @Column({ type: 'timestamptz', default: () => 'clock_timestamp()' })
  at!: Date;
}
