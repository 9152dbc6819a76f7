import { readFileSync } from 'node:fs';
import { withoutHash } from './secrets.js';
import { byName, type DatabaseCluster, type Manifest, ofKind, type Workload } from './manifests.js';
import { looseness } from './images.js';
import { type Rule } from './rule.js';

/** One file makes the roles everywhere; the fleets of our tests run it too. */
const ROLES = 'k8s/components/postgres-roles/10-roles.sql';

interface ConfigMap extends Manifest {
  readonly data: Readonly<Record<string, string>>;
}

/** What a ConfigMap holds, whatever hash its name ends with. */
export const configurationIn = (
  manifests: readonly Manifest[],
  name: string,
): Readonly<Record<string, string>> =>
  ofKind<ConfigMap>(manifests, 'ConfigMap').find(({ metadata }) => withoutHash(metadata.name) === name)
    ?.data ?? {};

export const settingsIn = (manifests: readonly Manifest[]): Readonly<Record<string, string>> =>
  configurationIn(manifests, 'loci-settings');

/** The database is made with the roles that services and migrations log in as. */
const withRoles: Rule = (manifests) => {
  const roles = byName(ofKind<ConfigMap>(manifests, 'ConfigMap'), 'postgres-roles')?.data['10-roles.sql'];
  if (roles !== readFileSync(ROLES, 'utf8')) return [`postgres-roles: is not ${ROLES}`];
  const isRun = [
    ...ofKind<DatabaseCluster>(manifests, 'Cluster').flatMap(
      ({ spec }) => spec.bootstrap.initdb.postInitApplicationSQLRefs?.configMapRefs ?? [],
    ),
    ...ofKind<Workload>(manifests, 'StatefulSet').flatMap(({ spec }) =>
      (spec.template.spec.volumes ?? []).flatMap(({ configMap }) => configMap ?? []),
    ),
  ].some(({ name }) => name === 'postgres-roles');
  return isRun ? [] : ['postgres: is made without the roles of services'];
};

const USERS = 'k8s/components/nats-users/users.conf';

/** NATS accepts the users that are derived from the code, and no others; its servers know each other by a password, too. */
const withUsers: Rule = (manifests) => {
  const maps = ofKind<ConfigMap>(manifests, 'ConfigMap');
  const users = maps.find(({ metadata }) => withoutHash(metadata.name) === 'nats-users');
  const configuration = configurationIn(manifests, 'nats-config')['nats.conf'] ?? '';
  const volumes = byName(ofKind<Workload>(manifests, 'StatefulSet'), 'nats')?.spec.template.spec.volumes;
  const sources = (volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  const isMounted = sources.some(({ configMap }) => configMap?.name === users?.metadata.name);
  return [
    ...(users?.data['users.conf'] === readFileSync(USERS, 'utf8') ? [] : [`nats-users: is not ${USERS}`]),
    ...(isMounted && configuration.includes('include ./users.conf') ? [] : ['nats: lets everybody in']),
    ...(/^cluster \{(?![^}]*authorization)/m.test(configuration) ? ['nats: lets every server join'] : []),
  ];
};

/** An upgrade applies NATS before all else, by this label. */
const appliedFirst: Rule = (manifests) => {
  const ofNats = [
    ...ofKind<ConfigMap>(manifests, 'ConfigMap').filter(({ metadata }) => metadata.name.startsWith('nats-')),
    ...ofKind<Workload>(manifests, 'StatefulSet').filter(({ metadata }) => metadata.name === 'nats'),
  ];
  return ofNats
    .filter(({ metadata }) => metadata.labels?.['loci.dev/server'] !== 'nats')
    .map(({ metadata }) => `${withoutHash(metadata.name)}: is missed by an upgrade`);
};

const withApiKey: Rule = (manifests) => {
  const qdrant = byName(ofKind<Workload>(manifests, 'StatefulSet'), 'qdrant');
  const variables = qdrant?.spec.template.spec.containers[0]?.env ?? [];
  const hasKey = variables.some(
    ({ name, valueFrom }) => name === 'QDRANT__SERVICE__API_KEY' && valueFrom?.secretKeyRef,
  );
  return hasKey ? [] : ['qdrant: lets everybody in'];
};

/** A commit waits for a standby in sync, however long there is none, and a standby that may lack one is not promoted. */
const durable: Rule = (manifests) =>
  ofKind<DatabaseCluster>(manifests, 'Cluster').flatMap(({ metadata, spec }) => {
    const { number = 0, dataDurability, failoverQuorum } = spec.postgresql.synchronous ?? {};
    const isOnTwo = spec.instances > number && number > 0 && dataDurability === 'required';
    if (!isOnTwo) return [`${metadata.name}: acknowledges what one machine has alone`];
    // bounds of earlier versions, which give way when no standby is there
    if ('minSyncReplicas' in spec || 'maxSyncReplicas' in spec)
      return [`${metadata.name}: may lower its standbys`];
    return failoverQuorum ? [] : [`${metadata.name}: may promote a standby that lacks a commit`];
  });

const pinned: Rule = (manifests) =>
  ofKind<DatabaseCluster>(manifests, 'Cluster').flatMap(({ metadata, spec }) => {
    const problem = looseness(spec.imageName);
    return problem === undefined ? [] : [`${metadata.name}: ${problem}`];
  });

/** Each server of production is a cluster that stands the loss of one, and the settings make use of it. */
const replicated: Rule = (manifests) => {
  const settings = settingsIn(manifests);
  const replicasOf = (name: string): number =>
    byName(ofKind<Workload>(manifests, 'StatefulSet'), name)?.spec.replicas ?? 0;
  const copies = (name: string): number => Number(settings[name] ?? 1);
  return [
    ...(replicasOf('nats') >= 3 ? [] : ['nats: is not a cluster of three']),
    ...(copies('NATS_STREAM_REPLICAS') === 3 ? [] : ['loci-settings: streams are not kept three times']),
    ...(replicasOf('qdrant') >= 3 ? [] : ['qdrant: is not a cluster of three']),
    ...(replicasOf('qdrant') < 3 || copies('QDRANT_PEERS') === replicasOf('qdrant')
      ? []
      : ['loci-settings: QDRANT_PEERS is not the number of peers']),
    ...(copies('QDRANT_REPLICATION_FACTOR') >= 2 ? [] : ['loci-settings: shards are not kept twice']),
    ...(ofKind(manifests, 'Cluster').length > 0 ? [] : ['postgres: has no standby']),
  ];
};

interface Certificate extends Manifest {
  readonly spec: { readonly secretName: string; readonly dnsNames?: readonly string[] };
}

/** The host of each kind of server, as the Secrets name it, and the Secret with its certificate. */
const HOSTS: Readonly<Record<string, string>> = {
  nats: 'nats-tls',
  qdrant: 'qdrant-tls',
  'loci-postgres-rw': 'postgres-tls',
  'loci-postgres-pooler': 'postgres-tls',
};

const TLS_OF_QDRANT = ['QDRANT__SERVICE__ENABLE_TLS', 'QDRANT__CLUSTER__P2P__ENABLE_TLS'];

/** Peers of Qdrant know each other by their whole names: a wildcard before one label is no name to them (rustls). */
const unprovenPeers = (peers: Workload | undefined, certificates: readonly Certificate[]): string[] => {
  const { replicas = 1, serviceName = '' } = peers?.spec ?? {};
  if (replicas < 2) return [];
  const named = certificates.find(({ spec }) => spec.secretName === HOSTS['qdrant'])?.spec.dnsNames;
  return Array.from({ length: replicas }, (_, peer) => `qdrant-${peer}.${serviceName}`)
    .filter((host) => !named?.includes(host))
    .map((host) => `${host}: is in no certificate`);
};

/** Servers speak TLS alone, to each other and to their clients, who know their authority. */
const encrypted: Rule = (manifests) => {
  const certificates = ofKind<Certificate>(manifests, 'Certificate');
  const unproven = Object.entries(HOSTS).filter(
    ([host, secret]) =>
      !certificates.some(({ spec }) => spec.secretName === secret && spec.dnsNames?.includes(host)),
  );
  const ofNats = configurationIn(manifests, 'nats-config')['nats.conf'] ?? '';
  const [routes = ''] = /^cluster \{[^]*/m.exec(ofNats) ?? [];
  const qdrant = byName(ofKind<Workload>(manifests, 'StatefulSet'), 'qdrant');
  const switches = qdrant?.spec.template.spec.containers[0]?.env ?? [];
  const isOn = (variable: string): boolean =>
    switches.some(({ name, value }) => name === variable && value === 'true');
  return [
    ...unproven.map(([host]) => `${host}: has no certificate`),
    ...(/^tls \{/m.test(ofNats) ? [] : ['nats: is spoken to without TLS']),
    ...(/^ {2}tls \{.*verify: true/m.test(routes) ? [] : ['nats: its servers trust whom they cannot know']),
    ...unprovenPeers(qdrant, certificates),
    ...TLS_OF_QDRANT.filter((variable) => !isOn(variable)).map((variable) => `qdrant: lacks ${variable}`),
    ...ofKind<DatabaseCluster>(manifests, 'Cluster').flatMap(withTls),
    ...(settingsIn(manifests)['NODE_EXTRA_CA_CERTS'] ? [] : ['loci-settings: no authority is trusted']),
  ];
};

const withTls = ({ metadata, spec }: DatabaseCluster): string[] => [
  ...(spec.certificates?.serverTLSSecret === HOSTS['loci-postgres-rw']
    ? []
    : [`${metadata.name}: has another certificate`]),
  ...(spec.postgresql.pg_hba?.includes('hostnossl all all all reject')
    ? []
    : [`${metadata.name}: is spoken to without TLS`]),
];

/** What the servers have to keep. */
export const SERVER_RULES: readonly Rule[] = [
  withRoles,
  withUsers,
  appliedFirst,
  withApiKey,
  durable,
  pinned,
];

/** Of production beside these. */
export const PRODUCTION_SERVER_RULES: readonly Rule[] = [replicated, encrypted];
