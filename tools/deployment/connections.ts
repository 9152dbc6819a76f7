import { type DatabaseCluster, type Manifest, ofKind, type Workload } from './manifests.js';
import { type Rule } from './rule.js';
import { scalersOf } from './scaling.js';

/** Connections beside the pool: two of an outbox relay, and KEY_LOOKUP_POOL_SIZE. */
const BESIDE_POOL: Readonly<Record<string, number>> = {
  'config-service': 4,
  'episodic-worker': 2,
  'semantic-worker': 2,
};

/** For what is not ours: superusers, the operator of the cluster, its standbys, its metrics, backups, migrations. */
const RESERVED = 40;

/** Of PostgreSQL. */
const DEFAULT_MAX_CONNECTIONS = 100;

/** Of DATABASE_POOL_SIZE, the larger of the two. */
const DEFAULT_POOL = 16;

/** Connections at most: while a deployment is replaced there is one pod more than its scaler allows. */
function connectionsOf({ metadata, spec }: Workload, manifests: readonly Manifest[]): number {
  const variables = spec.template.spec.containers[0]?.env ?? [];
  if (!variables.some(({ name }) => name === 'DATABASE_URL')) return 0;
  const pool = variables.find(({ name }) => name === 'DATABASE_POOL_SIZE')?.value ?? DEFAULT_POOL;
  const scaler = scalersOf(manifests).find(({ target }) => target === metadata.name);
  const replicas = scaler?.mostReplicas ?? spec.replicas ?? 1;
  return (replicas + 1) * (Number(pool) + (BESIDE_POOL[metadata.name] ?? 0));
}

/** Each process gets its connections at the largest scale, so that no part takes those of another. */
export const enoughConnections: Rule = (manifests) =>
  ofKind<DatabaseCluster>(manifests, 'Cluster').flatMap(({ metadata, spec }) => {
    const most = Number(spec.postgresql.parameters?.['max_connections'] ?? DEFAULT_MAX_CONNECTIONS);
    const wanted = ofKind<Workload>(manifests, 'Deployment').reduce(
      (sum, workload) => sum + connectionsOf(workload, manifests),
      RESERVED,
    );
    return wanted <= most
      ? []
      : [`${metadata.name}: allows ${String(most)} connections, and at most ${String(wanted)} are opened`];
  });
