import { beforeAll, expect, test } from '@jest/globals';
import { archiverOf } from './backups.js';
import { byName, type DatabaseCluster, type Manifest, ofKind } from './manifests.js';
import { overlayRules } from './overlay-rules.js';
import { type Overlay, OVERLAYS, RECOVERY, render } from './render.js';
import { type Rule } from './rule.js';
import { withoutHash } from './secrets.js';

/** Any part of a manifest. */
interface Node {
  [key: string]: (Node & Node[]) | undefined;
}

/** Manifests of production with one mistake, and the overlay that they come from. */
type Planted = readonly Manifest[];

const isNamed = ({ kind, metadata }: Manifest, name: string): boolean =>
  metadata.name === name || (kind === 'ConfigMap' && withoutHash(metadata.name) === name);

/** With a change to one object. */
function changed(
  kind: string,
  name: string,
  change: (manifest: Node) => void,
  overlay: Overlay = 'production',
): Planted {
  const copy = structuredClone(render(overlay)) as Manifest[];
  const found = copy.find((manifest) => manifest.kind === kind && isNamed(manifest, name));
  if (!found) throw new Error(`There is no ${kind} ${name}.`);
  change(found as unknown as Node);
  return copy;
}

const without = (kind: string, name: string): Planted =>
  render('production').filter((manifest) => manifest.kind !== kind || manifest.metadata.name !== name);

const withMore = (...more: Manifest[]): Planted => [...render('production'), ...more];

/** Another of a kind, under a name of its own. */
function copyOf(kind: string, name: string, as: string): Manifest {
  const found = render('production').find((one) => one.kind === kind && one.metadata.name === name);
  if (!found) throw new Error(`There is no ${kind} ${name}.`);
  return { ...found, metadata: { ...found.metadata, name: as } };
}

const set = (target: Node | undefined, values: object): void => void Object.assign(target ?? {}, values);
const is = (part: unknown, text: string): boolean => part === text;
const podOf = (manifest: Node): Node => manifest['spec']?.['template']?.['spec'] ?? {};
const containerOf = (manifest: Node): Node => podOf(manifest)['containers']?.[0] ?? {};

const container = (name: string, values: object): Planted =>
  changed('Deployment', name, (it) => set(containerOf(it), values));
const pod = (name: string, values: object): Planted =>
  changed('Deployment', name, (it) => set(podOf(it), values));
const spec = (kind: string, name: string, values: object, overlay?: Overlay): Planted =>
  changed(kind, name, (it) => set(it['spec'], values), overlay);
const secured = (name: string, values: object): Planted =>
  changed('Deployment', name, (it) => set(containerOf(it)['securityContext'], values));
const settings = (values: object): Planted =>
  changed('ConfigMap', 'loci-settings', (it) => set(it['data'], values));
const trigger = (values: object): Planted =>
  changed('ScaledObject', 'semantic-worker', (it) =>
    set(it['spec']?.['triggers']?.[0]?.['metadata'], values),
  );
const externalMetric = (values: object): Planted =>
  changed(
    'HorizontalPodAutoscaler',
    'semantic-worker',
    (it) => set(it['spec']?.['metrics']?.[0]?.['external']?.['metric'], values),
    'production-hpa',
  );
const variables = (kind: string, name: string, change: (env: Node[]) => void): Planted =>
  changed(kind, name, (it) => change(containerOf(it)['env'] ?? []));
const synchronous = (values: object): Planted =>
  changed('Cluster', 'loci-postgres', (it) => set(it['spec']?.['postgresql']?.['synchronous'], values));
const pooler = (change: (it: Node) => void, parameters: object = {}): Planted =>
  changed('Pooler', 'loci-postgres-pooler', (it) => {
    set(it['spec']?.['pgbouncer']?.['parameters'], parameters);
    change(it);
  });
const natsConfiguration = (from: string | RegExp, to: string): Planted =>
  changed('ConfigMap', 'nats-config', (it) => {
    const data = it['data'] as unknown as Record<string, string>;
    set(it['data'], { 'nats.conf': data['nats.conf']?.replace(from, to) });
  });
const remote = (name: string, values: object): Planted =>
  changed('ExternalSecret', name, (it) => set(it['spec']?.['data']?.[0], values));

const policy = (name: string, values: object): Manifest => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name, namespace: 'loci' },
  ...{ spec: values },
});
const gateway = { podSelector: { matchLabels: { 'app.kubernetes.io/name': 'gateway' } } };
const postgres = { podSelector: { matchLabels: { 'loci.dev/server': 'postgres' } } };
const stranger = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'other' } } };
const leave = policy('planted', { ...gateway, egress: [{ to: [postgres], ports: [{ port: 5432 }] }] });
const arrive = policy('planted-too', {
  ...postgres,
  ingress: [{ from: [gateway], ports: [{ port: 5432 }] }],
});

const COMPOSITION: [string, Planted][] = [
  [
    'config-migrate: is not deployed\n' +
      'config-migrate -> 169.254.20.10/32:53 is not allowed\n' +
      'config-migrate -> kube-system/kube-dns:53 is not allowed\n' +
      'config-migrate -> kube-system/node-local-dns:53 is not allowed\n' +
      'config-migrate -> postgres:5432 is not allowed',
    without('Job', 'config-migrate'),
  ],
  [
    'again: is no process of the product\n' +
      ['169.254.20.10/32', 'kube-system/kube-dns', 'kube-system/node-local-dns']
        .map((server) => `again -> ${server}:53 is not of the design`)
        .join('\n'),
    withMore(
      ...changed('Job', 'config-migrate', (it) => {
        set(it['metadata'], { name: 'again' });
        set(it['spec']?.['template']?.['metadata'], { labels: {} });
      }).filter(({ metadata }) => metadata.name === 'again'),
    ),
  ],
  [
    'gateway: runs the image loci/config-service:0.1.0',
    container('gateway', { image: 'loci/config-service:0.1.0' }),
  ],
  [
    'gateway: starts apps/gateway/dist/main.js',
    container('gateway', { args: ['apps/gateway/dist/main.js'] }),
  ],
  [
    'gateway: is asked at port 9090, where its image does not listen',
    container('gateway', { ports: [{ name: 'http', containerPort: 9090 }] }),
  ],
  [
    'config-service: lacks NATS_URL\n' +
      'loci-nats-config: provides url, which no process reads\n' +
      'config-service: logs into nats with nothing',
    variables('Deployment', 'config-service', (env) => void env.splice(1, 1)),
  ],
  [
    'gateway: is given LOCI_COLOUR, which it does not know',
    variables('Deployment', 'gateway', (env) =>
      env.push({ name: 'LOCI_COLOUR', value: 'red' } as unknown as Node),
    ),
  ],
  ['loci-settings: no process knows LOG_LEVLE', settings({ LOG_LEVLE: 'info' })],
  [
    'loci: is not in the namespace loci',
    changed('PodMonitor', 'loci', (it) => set(it['metadata'], { namespace: 'monitoring' })),
  ],
  [
    'loci: the namespace takes pods that are not restricted',
    changed('Namespace', 'loci', (it) =>
      set(it['metadata']?.['labels'], { 'pod-security.kubernetes.io/enforce': 'baseline' }),
    ),
  ],
];

const PODS: [string, Planted][] = [
  [
    'nats: nats:2.14.3-alpine is not pinned to a version and a digest',
    changed('StatefulSet', 'nats', (it) => set(containerOf(it), { image: 'nats:2.14.3-alpine' })),
  ],
  [
    'gateway: does not say what it needs at least and may use at most',
    container('gateway', { resources: { requests: { cpu: '1' } } }),
  ],
  ['gateway: may gain privileges', secured('gateway', { allowPrivilegeEscalation: true })],
  ['gateway: has capabilities', secured('gateway', { capabilities: { drop: ['ALL'], add: ['NET_ADMIN'] } })],
  ['gateway: may write to its root file system', secured('gateway', { readOnlyRootFilesystem: false })],
  ['semantic-worker: lacks a probe', container('semantic-worker', { readinessProbe: undefined })],
  [
    'gateway: is probed at http/health/live http/health/live http/health',
    changed('Deployment', 'gateway', (it) =>
      set(containerOf(it)['readinessProbe']?.['httpGet'], { path: '/health' }),
    ),
  ],
  ['gateway: may run as root', pod('gateway', { securityContext: { runAsNonRoot: false } })],
  [
    'gateway: may make any system call',
    changed('Deployment', 'gateway', (it) =>
      set(podOf(it)['securityContext'], { seccompProfile: { type: 'Unconfined' } }),
    ),
  ],
  ['gateway: shares a namespace with its node', pod('gateway', { hostNetwork: true })],
  ['gateway: mounts hostPath', pod('gateway', { volumes: [{ name: 'v', hostPath: {} }] })],
  ['gateway: is given a token of the Kubernetes API', pod('gateway', { automountServiceAccountToken: true })],
  ['gateway: has no account without a token', without('ServiceAccount', 'gateway')],
  [
    'episodic-api: is not spread over zones and nodes',
    pod('episodic-api', { topologySpreadConstraints: [] }),
  ],
  [
    'gateway: may lose more than one replica at a time',
    spec('PodDisruptionBudget', 'gateway', { maxUnavailable: 2 }),
  ],
  ['nats: may lose more than one replica at a time', without('PodDisruptionBudget', 'nats')],
  [
    'config-service: may lose more than one replica at a time',
    spec('PodDisruptionBudget', 'config-service', {
      selector: { matchLabels: { 'app.kubernetes.io/name': 'gateway' } },
    }),
  ],
  [
    'gateway: keeps its node from being drained while it is broken',
    spec('PodDisruptionBudget', 'gateway', { unhealthyPodEvictionPolicy: undefined }),
  ],
  [
    'semantic-worker: has the priority loci-requests',
    pod('semantic-worker', { priorityClassName: 'loci-requests' }),
  ],
  [
    ['config', 'episodic', 'semantic']
      .map((name) => `${name}-migrate: has a priority that an upgrade applies after it`)
      .join('\n'),
    changed('PriorityClass', 'loci-requests', (it) => set(it['metadata'], { labels: {} })),
  ],
  ['gateway: has no priority', pod('gateway', { priorityClassName: 'urgent' })],
  [
    'semantic-worker: does not get the secrets of models',
    container('semantic-worker', { envFrom: [{ configMapRef: { name: 'loci-settings-abcdefghij' } }] }),
  ],
  [
    'gateway: does not notice a change of loci-settings',
    container('gateway', { envFrom: [{ configMapRef: { name: 'loci-settings' } }] }),
  ],
  ['gateway: is stopped while the endpoints still name it', container('gateway', { lifecycle: undefined })],
  ['gateway: is killed before it has drained', pod('gateway', { terminationGracePeriodSeconds: 30 })],
  [
    'gateway: is fewer while it is replaced',
    spec('Deployment', 'gateway', {
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
    }),
  ],
  [
    'semantic-migrate: is tried for ever, or stays',
    spec('Job', 'semantic-migrate', { ttlSecondsAfterFinished: undefined }),
  ],
  [
    'semantic-migrate: is missed by an upgrade',
    changed('Job', 'semantic-migrate', (it) => set(it['metadata'], { labels: {} })),
  ],
  [
    'semantic-migrate: is no hook that Argo CD makes anew',
    changed('Job', 'semantic-migrate', (it) => set(it['metadata'], { annotations: {} })),
  ],
  [
    'Deployment gateway: does not wait for the migrations in Argo CD',
    changed('Deployment', 'gateway', (it) => set(it['metadata'], { annotations: {} })),
  ],
  [
    'semantic-migrate: hides the logs of its failures',
    changed('Job', 'semantic-migrate', (it) => set(podOf(it), { restartPolicy: 'OnFailure' })),
  ],
];

const SECRETS: [string, Planted][] = [
  [
    'config-service: reads urls of loci-nats-config, which nothing provides\nloci-nats-config: provides url, which no process reads',
    variables('Deployment', 'config-service', (env) =>
      set(env[1]?.['valueFrom']?.['secretKeyRef'], { key: 'urls' }),
    ),
  ],
  [
    'loci-postgres: reads username of loci, which nothing provides\n' +
      'loci-postgres: reads password of loci, which nothing provides\n' +
      'loci-postgres-config: provides username, which no process reads\n' +
      'loci-postgres-config: provides password, which no process reads',
    changed('Cluster', 'loci-postgres', (it) =>
      set(it['spec']?.['managed']?.['roles']?.[0], { passwordSecret: { name: 'loci' } }),
    ),
  ],
  [
    'loci-secret-keys: provides key, which no process reads',
    changed('ExternalSecret', 'loci-secret-keys', (it) => {
      const [data] = (it['spec']?.['data'] ?? []) as Node[];
      it['spec']?.['data']?.push({ ...data, secretKey: 'key' } as unknown as Node & Node[]);
    }),
  ],
  [
    'loci-gateway: provides admin-key, which no process reads\ngateway: contains LOCI_ADMIN_KEY itself',
    variables('Deployment', 'gateway', (env) => set(env[2], { value: 'open sesame', valueFrom: undefined })),
  ],
  [
    ['gateway', 'config', 'episodic', 'semantic', 'streams', 'operator', 'routes']
      .map((user) => `nats: reads ${user} of loci-nats, which an upgrade applies after it`)
      .join('\n'),
    changed('ExternalSecret', 'loci-nats', (it) => set(it['metadata'], { labels: {} })),
  ],
  [
    'loci-nats: is not from the ClusterSecretStore loci',
    spec('ExternalSecret', 'loci-nats', { secretStoreRef: { kind: 'SecretStore', name: 'loci' } }),
  ],
  [
    'loci-nats-gateway: provides url, which no process reads\ngateway: logs into nats with loci-nats-config',
    variables('Deployment', 'gateway', (env) =>
      set(env[1]?.['valueFrom']?.['secretKeyRef'], { name: 'loci-nats-config' }),
    ),
  ],
  [
    'loci/nats: k8s/README.md does not tell of uri',
    remote('loci-nats', { remoteRef: { key: 'loci/nats', property: 'uri' } }),
  ],
  [
    'episodic-api: logs into postgres with loci-postgres-migrate',
    variables('Deployment', 'episodic-api', (env) =>
      set(env[2]?.['valueFrom']?.['secretKeyRef'], { name: 'loci-postgres-migrate' }),
    ),
  ],
];

const NETWORK: [string, Planted][] = [
  ['gateway -> postgres:5432 is not of the design', withMore(leave, arrive)],
  ['gateway -> postgres:5432 is allowed at one end only', withMore(leave)],
  ['gateway -> postgres:5432 is allowed at one end only', withMore(arrive)],
  [
    'gateway -> the internet:443 is not of the design',
    changed('NetworkPolicy', 'use-models', (it) =>
      it['spec']?.['podSelector']?.['matchExpressions']?.[0]?.['values']?.push(
        'gateway' as unknown as Node & Node[],
      ),
    ),
  ],
  [
    'gateway -> 0.0.0.0/0:443 is not of the design',
    withMore(
      policy('planted', {
        ...gateway,
        egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0' } }], ports: [{ port: 443 }] }],
      }),
    ),
  ],
  [
    'gateway -> anybody:any port is not of the design',
    withMore(policy('planted', { ...gateway, egress: [{}] })),
  ],
  [
    'anybody -> gateway:http is not of the design',
    withMore(policy('planted', { ...gateway, ingress: [{ ports: [{ port: 'http' }] }] })),
  ],
  [
    'other -> gateway:http is not of the design',
    withMore(policy('planted', { ...gateway, ingress: [{ from: [stranger], ports: [{ port: 'http' }] }] })),
  ],
  ['ingress-nginx -> gateway:http is not allowed', without('NetworkPolicy', 'serve-clients')],
  ['ingress-nginx -> acme-solver:8089 is not allowed', without('NetworkPolicy', 'solve-challenges')],
  [
    'envoy-gateway-system -> acme-solver:8089 is not allowed\n' +
      'envoy-gateway-system -> acme-solver:80 is not of the design',
    changed(
      'NetworkPolicy',
      'solve-challenges',
      (it) => set(it['spec']?.['ingress']?.[0]?.['ports']?.[0], { port: 80 }),
      'production-hpa',
    ),
  ],
  ['keda -> nats:8222 is not allowed', without('NetworkPolicy', 'nats-monitor')],
  [
    'deny-all: does not deny what no other policy allows',
    spec('NetworkPolicy', 'deny-all', { policyTypes: ['Ingress'] }),
  ],
];

/** That none of its consumers is watched. */
const unwatched = (worker: string, consumers: readonly string[]): string[] =>
  consumers.map((name) => `${worker}: does not scale on the backlog of ${worker}-${name}`);

const OF_EPISODIC = ['configure', 'erase', 'index', 'overflow', 'purge', 'reindex', 'summarize'];
const OF_SEMANTIC = ['adopt', 'configure', 'erase', 'forget', 'index', 'ingest', 'intake', 'relearn'];

const SCALING: [string, Planted][] = [
  ['episodic-api: does not scale on requests', without('HorizontalPodAutoscaler', 'episodic-api')],
  [
    'semantic-worker: looks for semantic-worker-ingest in the stream WORK_EPISODIC, which is not where it is',
    trigger({ stream: 'WORK_EPISODIC' }),
  ],
  [
    'semantic-worker: asks nats.loci.svc.cluster.local:9222, which no service is',
    trigger({ natsServerMonitoringEndpoint: 'nats.loci.svc.cluster.local:9222' }),
  ],
  [
    'semantic-worker: scales on the consumer semantic-ingest, which no process declares\nsemantic-worker: does not scale on the backlog of semantic-worker-ingest',
    trigger({ consumer: 'semantic-ingest' }),
  ],
  [
    'semantic-worker: scales on episodic-worker-purge, which another process runs\nsemantic-worker: does not scale on the backlog of semantic-worker-ingest',
    trigger({ consumer: 'episodic-worker-purge', stream: 'WORK_EPISODIC' }),
  ],
  [unwatched('semantic-worker', OF_SEMANTIC).join('\n'), without('ScaledObject', 'semantic-worker')],
  [
    'semantic-worker: may be shrunk while its backlog cannot be read',
    spec('ScaledObject', 'semantic-worker', { fallback: { failureThreshold: 6, replicas: 4 } }),
  ],
  [
    'semantic-worker: scales on consumer_backlog, which no process serves',
    externalMetric({ name: 'consumer_backlog' }),
  ],
  [
    'semantic-worker: scales on consumer_messages_pending by stream, a label that it does not have',
    externalMetric({ selector: { matchLabels: { consumer: 'semantic-worker-ingest', stream: 'WORK' } } }),
  ],
  [
    'semantic-worker: scales on the consumer nobody, which no process declares\nsemantic-worker: does not scale on the backlog of semantic-worker-ingest',
    externalMetric({ selector: { matchLabels: { consumer: 'nobody' } } }),
  ],
  [
    [
      ...['ingest', 'intake', 'index', 'forget', 'erase', 'relearn', 'configure', 'adopt'].map(
        (name) => `worker: scales on semantic-worker-${name}, which another process runs`,
      ),
      'worker: is scaled, and not there',
      ...unwatched('semantic-worker', OF_SEMANTIC),
    ].join('\n'),
    spec('ScaledObject', 'semantic-worker', { scaleTargetRef: { name: 'worker' } }),
  ],
  ['gateway: has two scalers', withMore(copyOf('HorizontalPodAutoscaler', 'gateway', 'another'))],
  ['gateway: says how many replicas it has, and is scaled', spec('Deployment', 'gateway', { replicas: 3 })],
  [
    'gateway: may be scaled to less than two replicas',
    spec('HorizontalPodAutoscaler', 'gateway', { minReplicas: 1 }),
  ],
];

const SERVERS: [string, Planted][] = [
  ['loci-postgres: acknowledges what one machine has alone', synchronous({ dataDurability: 'preferred' })],
  ['loci-postgres: acknowledges what one machine has alone', synchronous({ dataDurability: undefined })],
  ['loci-postgres: acknowledges what one machine has alone', synchronous({ number: 0 })],
  ['loci-postgres: may promote a standby that lacks a commit', synchronous({ failoverQuorum: undefined })],
  ['loci-postgres: may lower its standbys', spec('Cluster', 'loci-postgres', { minSyncReplicas: 1 })],
  [
    'loci-postgres: postgresql:17.10 is not pinned to a version and a digest',
    spec('Cluster', 'loci-postgres', { imageName: 'postgresql:17.10' }),
  ],
  [
    'postgres: is made without the roles of services',
    changed('Cluster', 'loci-postgres', (it) =>
      set(it['spec']?.['bootstrap']?.['initdb'], { postInitApplicationSQLRefs: undefined }),
    ),
  ],
  [
    'postgres-roles: is not k8s/components/postgres-roles/10-roles.sql',
    changed('ConfigMap', 'postgres-roles', (it) =>
      set(it['data'], { '10-roles.sql': 'ALTER ROLE loci SUPERUSER' }),
    ),
  ],
  [
    'nats-users: is missed by an upgrade',
    changed('ConfigMap', 'nats-users', (it) => set(it['metadata'], { labels: {} })),
  ],
  [
    'nats-users: is not k8s/components/nats-users/users.conf',
    render('production').map((one) =>
      one.metadata.name.startsWith('nats-users')
        ? { ...one, data: { 'users.conf': 'authorization { users: [] }' } }
        : one,
    ),
  ],
  ['nats: lets everybody in', natsConfiguration('include ./users.conf', '')],
  ['nats: lets every server join', natsConfiguration(/^ {2}authorization .*$/m, '')],
  [
    'qdrant: lets everybody in',
    variables('StatefulSet', 'qdrant', (env) => {
      set(
        env.find((one) => is(one['name'], 'QDRANT__SERVICE__API_KEY')),
        { name: 'OTHER_KEY' },
      );
    }),
  ],
  [
    'loci-postgres: allows 400 connections, and at most 435 are opened',
    changed('Cluster', 'loci-postgres', (it) =>
      set(it['spec']?.['postgresql']?.['parameters'], { max_connections: '400' }),
    ),
  ],
  [
    'loci-postgres: allows 500 connections, and at most 519 are opened',
    pooler((it) => set(it['spec'], { instances: 4 }), { default_pool_size: '37', max_client_conn: '1000' }),
  ],
  [
    'loci-postgres: its pooler allows 1000 of 1046 clients',
    spec('HorizontalPodAutoscaler', 'episodic-api', { maxReplicas: 80 }),
  ],
  [
    'loci_semantic: its workers may take 168 of its 120 connections',
    variables('Deployment', 'semantic-worker', (env) => {
      set(
        env.find((one) => is(one['name'], 'DATABASE_POOL_SIZE')),
        { value: '8' },
      );
    }),
  ],
  [
    'loci-postgres-pooler: pools by session',
    pooler((it) => set(it['spec']?.['pgbouncer'], { poolMode: 'session' })),
  ],
  [
    'loci-postgres-pooler: forgets prepared statements',
    pooler(() => undefined, { max_prepared_statements: '0' }),
  ],
  [
    'loci-postgres-pooler: refuses who asks for statement_timeout',
    pooler(() => undefined, {
      ignore_startup_parameters: 'options,idle_in_transaction_session_timeout',
    }),
  ],
  ['nats: is not a cluster of three', spec('StatefulSet', 'nats', { replicas: 2 })],
  ['qdrant: is not a cluster of three', spec('StatefulSet', 'qdrant', { replicas: 2 })],
  ['loci-settings: streams are not kept three times', settings({ NATS_STREAM_REPLICAS: '1' })],
  ['loci-settings: QDRANT_PEERS is not the number of peers', settings({ QDRANT_PEERS: '1' })],
  ['loci-settings: shards are not kept twice', settings({ QDRANT_REPLICATION_FACTOR: '1' })],
];

const PEERS = [0, 1, 2].map((peer) => `qdrant-${peer}.qdrant-peers`);

const ENCRYPTION: [string, Planted][] = [
  ['qdrant: has no certificate', spec('Certificate', 'qdrant', { dnsNames: PEERS })],
  [
    'qdrant-1.qdrant-peers: is in no certificate',
    spec('Certificate', 'qdrant', { dnsNames: ['qdrant', '*.qdrant-peers', PEERS[0], PEERS[2]] }),
  ],
  ['nats: has no certificate', spec('Certificate', 'nats', { dnsNames: ['localhost'] })],
  ['nats: is spoken to without TLS', natsConfiguration(/^tls .*$/m, '')],
  ['nats: its servers trust whom they cannot know', natsConfiguration(', verify: true', '')],
  [
    'qdrant: lacks QDRANT__CLUSTER__P2P__ENABLE_TLS',
    variables('StatefulSet', 'qdrant', (env) => {
      set(
        env.find((one) => is(one['name'], 'QDRANT__CLUSTER__P2P__ENABLE_TLS')),
        { value: 'false' },
      );
    }),
  ],
  ['loci-postgres: has another certificate', spec('Cluster', 'loci-postgres', { certificates: {} })],
  [
    'loci-postgres: is spoken to without TLS',
    changed('Cluster', 'loci-postgres', (it) => set(it['spec']?.['postgresql'], { pg_hba: [] })),
  ],
  ['loci-settings: no authority is trusted', settings({ NODE_EXTRA_CA_CERTS: '' })],
];

const store = (values: object): Planted =>
  changed('ObjectStore', 'loci-backups', (it) => set(it['spec']?.['configuration'], values));
const scheduled = (values: object): Planted => spec('ScheduledBackup', 'loci-postgres', values);
const archive = (values: object): Planted =>
  changed('Cluster', 'loci-postgres', (it) => set(it['spec']?.['plugins']?.[0]?.['parameters'], values));

const BACKUPS: [string, Planted][] = [
  ['loci-postgres: archives its WAL nowhere', archive({ barmanObjectName: 'other' })],
  ['loci-postgres: archives its WAL nowhere', spec('Cluster', 'loci-postgres', { plugins: [] })],
  ['loci-postgres: archives where a restored cluster would archive, too', archive({ serverName: undefined })],
  [
    'loci-postgres: keeps a WAL file for itself until it is full',
    changed('Cluster', 'loci-postgres', (it) =>
      set(it['spec']?.['postgresql']?.['parameters'], { archive_timeout: undefined }),
    ),
  ],
  ['loci-backups: is no folder of a bucket', store({ destinationPath: '/backups' })],
  ['loci-backups: is not compressed', store({ wal: {} })],
  ['loci-backups: keeps every backup for ever', spec('ObjectStore', 'loci-backups', { retentionPolicy: '' })],
  ['loci-postgres: is never copied', scheduled({ method: 'barmanObjectStore' })],
  ['loci-postgres: is never copied', scheduled({ cluster: { name: 'another' } })],
  ['loci-postgres: its schedule does not begin with seconds', scheduled({ schedule: '0 2 * * *' })],
  [
    'loci-backups: reads id of loci-backups, which nothing provides\n' +
      'loci-backups: provides access-key-id, which no process reads',
    store({
      s3Credentials: {
        accessKeyId: { name: 'loci-backups', key: 'id' },
        secretAccessKey: { name: 'loci-backups', key: 'secret-access-key' },
      },
    }),
  ],
];

const ROUTES: [string, Planted][] = [
  [
    'gateway: takes every client for the proxy before it',
    variables('Deployment', 'gateway', (env) => void env.pop()),
  ],
  [
    'gateway: /metrics is served to everybody',
    changed('Ingress', 'gateway', (it) =>
      set(it['spec']?.['rules']?.[0]?.['http']?.['paths']?.[0], { pathType: 'Exact' }),
    ),
  ],
  [
    'gateway: /metrics is served to everybody',
    changed(
      'HTTPRoute',
      'gateway',
      (it) => set(it['spec']?.['rules']?.[0]?.['matches']?.[0]?.['path'], { type: 'Exact' }),
      'production-hpa',
    ),
  ],
  [
    'gateway: /metrics is served to everybody',
    changed('Ingress', 'gateway', (it) => void it['spec']?.['rules']?.[0]?.['http']?.['paths']?.shift()),
  ],
  [
    ['/metrics', '/api/v2/metrics', '/v2/metrics', '/']
      .map((path) => `gateway: ${path} is served without TLS`)
      .join('\n'),
    changed(
      'HTTPRoute',
      'gateway',
      (it) => set(it['spec']?.['parentRefs']?.[0], { sectionName: 'http' }),
      'production-hpa',
    ),
  ],
  [
    [
      'gateway: no client comes in',
      ...['/api/v2/metrics', '/metrics', '/v2/metrics'].map(
        (path) => `gateway: ${path} is served to everybody`,
      ),
    ].join('\n'),
    without('Ingress', 'gateway'),
  ],
];

const VIOLATIONS = [
  ...COMPOSITION,
  ...PODS,
  ...SECRETS,
  ...NETWORK,
  ...SCALING,
  ...SERVERS,
  ...ENCRYPTION,
  ...BACKUPS,
  ...ROUTES,
];

let ofAll: readonly Rule[];
let ofProduction: readonly Rule[];

beforeAll(async () => {
  ofAll = await overlayRules({ isProduction: false });
  ofProduction = await overlayRules({ isProduction: true });
});

const broken = (rules: readonly Rule[], manifests: readonly Manifest[]): string[] =>
  rules.flatMap((rule) => rule(manifests));

test.each(OVERLAYS)('%s keeps every rule', (overlay) => {
  expect(broken(overlay === 'dev' ? ofAll : ofProduction, render(overlay))).toEqual([]);
});

test.each(VIOLATIONS)('what breaks one is found: %s', (problem, manifests) => {
  expect(broken(ofProduction, manifests).join('\n')).toBe(problem);
});

test('every rule is broken by one of these', () => {
  const unbroken = ofProduction.filter((rule) =>
    VIOLATIONS.every(([, manifests]) => rule(manifests).length === 0),
  );
  expect(unbroken.map(String)).toEqual([]);
});

test('what dev does without is missed in production', () => {
  expect(broken(ofProduction, render('dev'))).toEqual([
    ...unwatched('episodic-worker', OF_EPISODIC),
    ...unwatched('semantic-worker', OF_SEMANTIC),
    'episodic-api: may be scaled to less than two replicas',
    'gateway: may be scaled to less than two replicas',
    'semantic-api: may be scaled to less than two replicas',
    'nats: is not a cluster of three',
    'loci-settings: streams are not kept three times',
    'qdrant: is not a cluster of three',
    'loci-settings: shards are not kept twice',
    'postgres: has no standby',
    ...['nats', 'qdrant', 'loci-postgres-rw', 'loci-postgres-pooler'].map(
      (host) => `${host}: has no certificate`,
    ),
    'nats: is spoken to without TLS',
    'nats: its servers trust whom they cannot know',
    'qdrant: lacks QDRANT__SERVICE__ENABLE_TLS',
    'qdrant: lacks QDRANT__CLUSTER__P2P__ENABLE_TLS',
    'loci-settings: no authority is trusted',
    'gateway: no client comes in',
    ...['/api/v2/metrics', '/metrics', '/v2/metrics'].map(
      (path) => `gateway: ${path} is served to everybody`,
    ),
    'gateway: takes every client for the proxy before it',
  ]);
});

test('a recovery reads what the lost cluster archived, archives beside it, and changes nothing else', () => {
  const [production, recovery] = [render('production'), render(RECOVERY)];
  const clusterIn = (manifests: readonly Manifest[]): DatabaseCluster | undefined =>
    byName(ofKind<DatabaseCluster>(manifests, 'Cluster'), 'loci-postgres');
  const [before, after] = [clusterIn(production), clusterIn(recovery)];
  const { recovery: from } = after?.spec.bootstrap ?? {};
  const source = after?.spec.externalClusters?.find(({ name }) => name === from?.source)?.plugin;
  expect(before && archiverOf(before)?.parameters).toEqual(source?.parameters);
  const archives = after && archiverOf(after)?.parameters;
  expect(archives?.['barmanObjectName']).toBe(source?.parameters['barmanObjectName']);
  expect(archives?.['serverName']).not.toBe(source?.parameters['serverName']);
  expect(from).toMatchObject({ database: 'loci', owner: before?.spec.bootstrap.initdb.owner });
  const others = (manifests: readonly Manifest[]): Manifest[] =>
    manifests.filter(({ kind }) => kind !== 'Cluster');
  expect(others(recovery)).toEqual(others(production));
});
