import {
  byName,
  type ClusterPlugin,
  type DatabaseCluster,
  type KeyReference,
  type Manifest,
  ofKind,
} from './manifests.js';
import { type Rule } from './rule.js';

/** Where the Barman Cloud plugin of CloudNativePG puts backups. */
export interface ObjectStore extends Manifest {
  readonly spec: {
    readonly retentionPolicy?: string;
    readonly configuration: {
      readonly destinationPath?: string;
      readonly s3Credentials: Readonly<Record<string, KeyReference>>;
      readonly wal?: { readonly compression?: string };
      readonly data?: { readonly compression?: string };
    };
  };
}

interface ScheduledBackup extends Manifest {
  readonly spec: {
    readonly schedule: string;
    readonly cluster: { readonly name: string };
    readonly method?: string;
    readonly pluginConfiguration?: { readonly name: string };
  };
}

const PLUGIN = 'barman-cloud.cloudnative-pg.io';

export const archiverOf = ({ spec }: DatabaseCluster): ClusterPlugin | undefined =>
  spec.plugins?.find(({ name, isWALArchiver }) => name === PLUGIN && isWALArchiver);

/** Without its WAL in an object store, all that was written since the last copy is lost with the disks. */
const archived: Rule = (manifests) =>
  ofKind<DatabaseCluster>(manifests, 'Cluster').flatMap((cluster) => {
    const { name } = cluster.metadata;
    const { barmanObjectName = '', serverName } = archiverOf(cluster)?.parameters ?? {};
    const store = byName(ofKind<ObjectStore>(manifests, 'ObjectStore'), barmanObjectName);
    if (!store) return [`${name}: archives its WAL nowhere`];
    const { destinationPath = '', wal, data } = store.spec.configuration;
    return [
      ...(/^s3:\/\/[^/]+\/.+/.test(destinationPath) ? [] : [`${barmanObjectName}: is no folder of a bucket`]),
      ...(store.spec.retentionPolicy ? [] : [`${barmanObjectName}: keeps every backup for ever`]),
      ...(wal?.compression && data?.compression ? [] : [`${barmanObjectName}: is not compressed`]),
      ...(serverName ? [] : [`${name}: archives where a restored cluster would archive, too`]),
      ...(cluster.spec.postgresql.parameters?.['archive_timeout']
        ? []
        : [`${name}: keeps a WAL file for itself until it is full`]),
    ];
  });

const copied: Rule = (manifests) =>
  ofKind<DatabaseCluster>(manifests, 'Cluster').flatMap(({ metadata: { name } }) => {
    const backups = ofKind<ScheduledBackup>(manifests, 'ScheduledBackup').filter(
      ({ spec }) =>
        spec.cluster.name === name && spec.method === 'plugin' && spec.pluginConfiguration?.name === PLUGIN,
    );
    if (backups.length === 0) return [`${name}: is never copied`];
    // five fields are read as if the minutes were seconds
    return backups
      .filter(({ spec }) => spec.schedule.trim().split(/\s+/).length !== 6)
      .map(({ metadata }) => `${metadata.name}: its schedule does not begin with seconds`);
  });

/** The truth is backed up, so that it can be restored to any moment. */
export const BACKUP_RULES: readonly Rule[] = [archived, copied];
