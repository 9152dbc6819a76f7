import { type ResourceKind, type ResourceStatus } from '@loci/contracts';
import { type Resource } from './resource.js';

export const RESOURCE_COLUMNS =
  'kind, name, provider, config, revision, status, error, is_built_in, failures, unfinished_probes';

/** What a row of resources holds; 64-bit numbers come as text. */
export interface ResourceRow {
  readonly kind: ResourceKind;
  readonly name: string;
  readonly provider: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly revision: string;
  readonly status: ResourceStatus;
  readonly error: string | null;
  readonly is_built_in: boolean;
  readonly failures: number;
  readonly unfinished_probes: number;
}

export const toResource = (row: ResourceRow): Resource => ({
  kind: row.kind,
  name: row.name,
  provider: row.provider,
  config: row.config,
  revision: Number(row.revision),
  status: row.status,
  ...(row.error !== null && { error: row.error }),
  isBuiltIn: row.is_built_in,
  failures: row.failures,
  unfinishedProbes: row.unfinished_probes,
});
