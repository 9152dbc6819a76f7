import {
  type DatabaseCluster,
  type Manifest,
  ofKind,
  type Pooler,
  type Variable,
  type Workload,
} from './manifests.js';
import { type Rule } from './rule.js';
import { scalersOf } from './scaling.js';
import { withoutHash } from './secrets.js';

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

/** A process listens on one connection of its own, past a pooler. */
const LISTENING = 1;

const hasVariable = (workload: Workload, variable: string): boolean =>
  variableOf(workload, variable) !== undefined;

/** Pods at most: while a deployment is replaced there is one more than its scaler allows. */
function podsOf({ metadata, spec }: Workload, manifests: readonly Manifest[]): number {
  const scaler = scalersOf(manifests).find(({ target }) => target === metadata.name);
  return (scaler?.mostReplicas ?? spec.replicas ?? 1) + 1;
}

const variableOf = ({ spec }: Workload, variable: string): Variable | undefined =>
  spec.template.spec.containers[0]?.env?.find(({ name }) => name === variable);

const poolOf = (workload: Workload): number =>
  Number(variableOf(workload, 'DATABASE_POOL_SIZE')?.value ?? DEFAULT_POOL);

/** Without a pooler: those of its pool, and what it opens beside it. */
function connectionsOf(workload: Workload, manifests: readonly Manifest[]): number {
  if (!hasVariable(workload, 'DATABASE_URL')) return 0;
  return podsOf(workload, manifests) * (poolOf(workload) + (BESIDE_POOL[workload.metadata.name] ?? 0));
}

/** Behind poolers: those of each instance for each role, and those past them. */
function pooledConnections(
  poolers: readonly Pooler[],
  roles: number,
  manifests: readonly Manifest[],
): number {
  const shared = poolers.map(
    ({ spec }) => spec.instances * Number(spec.pgbouncer.parameters['default_pool_size']) * roles,
  );
  const past = ofKind<Workload>(manifests, 'Deployment')
    .filter((workload) => hasVariable(workload, 'DATABASE_DIRECT_URL'))
    .map((workload) => LISTENING * podsOf(workload, manifests));
  return [...shared, ...past].reduce((sum, connections) => sum + connections, 0);
}

/** Each process gets its connections at the largest scale, so that no part takes those of another. */
export const enoughConnections: Rule = (manifests) =>
  ofKind<DatabaseCluster>(manifests, 'Cluster').flatMap(({ metadata, spec }) => {
    const most = Number(spec.postgresql.parameters?.['max_connections'] ?? DEFAULT_MAX_CONNECTIONS);
    const poolers = ofKind<Pooler>(manifests, 'Pooler').filter(
      (pooler) => pooler.spec.cluster.name === metadata.name,
    );
    const ofProcesses = ofKind<Workload>(manifests, 'Deployment').reduce(
      (sum, workload) => sum + connectionsOf(workload, manifests),
      0,
    );
    const opened =
      RESERVED +
      (poolers.length > 0 ? pooledConnections(poolers, spec.managed.roles.length, manifests) : ofProcesses);
    const clients = poolers.map((pooler) => Number(pooler.spec.pgbouncer.parameters['max_client_conn']));
    return [
      ...(opened <= most
        ? []
        : [`${metadata.name}: allows ${String(most)} connections, and at most ${String(opened)} are opened`]),
      // when all other instances are lost
      ...clients
        .filter((allowed) => allowed < ofProcesses)
        .map(
          (allowed) =>
            `${metadata.name}: its pooler allows ${String(allowed)} of ${String(ofProcesses)} clients`,
        ),
    ];
  });

/** The part of a role's connections that requests have, whatever its workers do. */
const KEPT_FOR_REQUESTS = 1 / 5;

const isInBackground = ({ metadata }: Workload): boolean => metadata.name.endsWith('-worker');

/** A pooler gives connections to the process that asks first: as many workers as there may be must not ask for all. */
export const requestsKeepConnections: Rule = (manifests) => {
  const workers = ofKind<Workload>(manifests, 'Deployment').filter(isInBackground);
  return ofKind<DatabaseCluster>(manifests, 'Cluster').flatMap(({ metadata, spec }) => {
    const poolers = ofKind<Pooler>(manifests, 'Pooler').filter(
      (pooler) => pooler.spec.cluster.name === metadata.name,
    );
    if (poolers.length === 0) return [];
    const pooled = pooledConnections(poolers, 1, []);
    return spec.managed.roles.flatMap(({ name, passwordSecret }) => {
      const taken = workers
        .filter((one) => loginOf(one) === passwordSecret.name)
        .reduce((sum, one) => sum + podsOf(one, manifests) * poolOf(one), 0);
      return taken <= pooled * (1 - KEPT_FOR_REQUESTS)
        ? []
        : [`${name}: its workers may take ${String(taken)} of its ${String(pooled)} connections`];
    });
  });
};

/** The Secret with the role that it logs in as. */
const loginOf = (workload: Workload): string =>
  withoutHash(variableOf(workload, 'DATABASE_URL')?.valueFrom?.secretKeyRef?.name ?? '');

/** What a pooler does not pass on: settings of the roles have it. */
const STARTUP_PARAMETERS = ['options', 'statement_timeout', 'idle_in_transaction_session_timeout'];

/** A pooler gives connections away after each transaction, keeps prepared statements, and turns no process away. */
export const poolsByTransaction: Rule = (manifests) =>
  ofKind<Pooler>(manifests, 'Pooler').flatMap(({ metadata: { name }, spec: { pgbouncer } }) => {
    const { max_prepared_statements: prepared = '0', ignore_startup_parameters: ignored = '' } =
      pgbouncer.parameters;
    const refused = STARTUP_PARAMETERS.filter((parameter) => !ignored.split(',').includes(parameter));
    return [
      ...(pgbouncer.poolMode === 'transaction' ? [] : [`${name}: pools by ${pgbouncer.poolMode}`]),
      ...(Number(prepared) > 0 ? [] : [`${name}: forgets prepared statements`]),
      ...refused.map((parameter) => `${name}: refuses who asks for ${parameter}`),
    ];
  });
