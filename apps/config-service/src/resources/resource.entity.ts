import { type ResourceKind, type ResourceStatus } from '@loci/contracts';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../database.js';

@Entity({ schema: SCHEMA, name: 'resources' })
@Check('resources_kind_check', `kind = ANY (ARRAY['language_model', 'embedder', 'reranker'])`)
@Check('resources_status_check', `status = ANY (ARRAY['pending', 'ready', 'failed'])`)
@Index('resources_to_probe', ['nextProbeAt'], { where: `status <> 'ready'` })
export class ResourceEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'resources_pkey' })
  kind!: ResourceKind;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'resources_pkey' })
  name!: string;

  @Column({ type: 'text' })
  provider!: string;

  /** Credentials as references or encrypted. */
  @Column({ type: 'jsonb' })
  config!: Readonly<Record<string, unknown>>;

  /** Of the registry, when provider or config changed last. */
  @Column({ type: 'bigint' })
  revision!: string;

  @Column({ type: 'text' })
  status!: ResourceStatus;

  @Column({ type: 'text', nullable: true })
  error!: string | null;

  @Column({ type: 'boolean', name: 'is_built_in', default: false })
  isBuiltIn!: boolean;

  /** Failed probes in a row. */
  @Column({ type: 'int', default: 0 })
  failures!: number;

  /** None while it is ready. */
  @Column({ type: 'timestamptz', name: 'next_probe_at', nullable: true })
  nextProbeAt!: Date | null;

  /** Which replica probes it now, and until when no other does. */
  @Column({ type: 'uuid', name: 'probe_token', nullable: true })
  probeToken!: string | null;

  @Column({ type: 'timestamptz', name: 'probe_until', nullable: true })
  probeUntil!: Date | null;

  @Column({ type: 'int', name: 'unfinished_probes', default: 0 })
  unfinishedProbes!: number;

  /** Whether memory uses it when it is ready and no language model was ever chosen. */
  @Column({ type: 'boolean', name: 'may_be_default', default: false })
  mayBeDefault!: boolean;
}
