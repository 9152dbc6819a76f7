import { type ResourceKind, type ResourceStatus } from '@loci/contracts';
import { narrowed, rowColumns, type RowOf } from '@loci/persistence';
import { type Resource } from './resource.js';

export const RESOURCE_COLUMNS = `kind, name, provider, config, revision, status, error, is_built_in AS "isBuiltIn",
  failures, unfinished_probes AS "unfinishedProbes", may_be_default AS "mayBeDefault"`;

/** The columns of `RESOURCE_COLUMNS`. */
export const RESOURCE_ROW = rowColumns({
  kind: narrowed<ResourceKind>('text'),
  name: 'text',
  provider: 'text',
  config: narrowed<Readonly<Record<string, unknown>>>('jsonb'),
  revision: 'int8',
  status: narrowed<ResourceStatus>('text'),
  error: 'text?',
  isBuiltIn: 'bool',
  failures: 'int4',
  unfinishedProbes: 'int4',
  mayBeDefault: 'bool',
});

/** @param row what `RESOURCE_COLUMNS` answers, or the entity */
export const toResource = (row: RowOf<typeof RESOURCE_ROW>): Resource => ({
  kind: row.kind,
  name: row.name,
  provider: row.provider,
  config: row.config,
  revision: Number(row.revision),
  status: row.status,
  ...(row.error !== null && { error: row.error }),
  isBuiltIn: row.isBuiltIn,
  failures: row.failures,
  unfinishedProbes: row.unfinishedProbes,
  mayBeDefault: row.mayBeDefault,
});
