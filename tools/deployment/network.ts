import { byName, type Manifest, ofKind, workloadsOf } from './manifests.js';
import { DEPLOYED, type DeployedProcess } from './processes.js';
import { type Rule } from './rule.js';

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values: readonly string[];
  }[];
}

interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

interface Traffic {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly port: number | string }[];
}

interface NetworkPolicy extends Manifest {
  readonly spec: {
    readonly podSelector: Selector;
    readonly policyTypes?: readonly string[];
    readonly ingress?: readonly Traffic[];
    readonly egress?: readonly Traffic[];
  };
}

const SERVERS = ['nats', 'postgres', 'qdrant'];
const PORTS: Readonly<Record<string, number>> = { nats: 4222, postgres: 5432, qdrant: 6333 };

/** Where models may be: everywhere but in private networks and at the metadata of the cloud. */
const INTERNET = '0.0.0.0/0';
const NO_INTERNET = ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'];
/** Of the cluster, and the cache on each node (NodeLocal DNSCache) with its address. */
const NAMESERVERS = ['kube-system/kube-dns', 'kube-system/node-local-dns', '169.254.20.10/32'];
const KUBERNETES_API = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'];

/** Every connection that the design knows of, as `who -> whom:port`. */
export function wantedArrows(manifests: readonly Manifest[]): string[] {
  const isClustered = ofKind(manifests, 'Cluster').length > 0;
  const isPooled = ofKind(manifests, 'Pooler').length > 0;
  const isBackedUp = ofKind(manifests, 'ObjectStore').length > 0;
  const isWatched = ofKind(manifests, 'PodMonitor').length > 0;
  const hasRoutes = ofKind(manifests, 'HTTPRoute').length > 0;
  const asksNats = ofKind(manifests, 'ScaledObject').length > 0;
  const tasks = ofKind(manifests, 'CronJob').map(({ metadata }) => metadata.name);
  return [
    ...DEPLOYED.flatMap(arrowsOfProcess),
    ...[
      ...new Set([...DEPLOYED.map(({ name }) => name), ...SERVERS, ...tasks, ...operated(manifests).keys()]),
    ].flatMap((name) => NAMESERVERS.map((server) => `${name} -> ${server}:53`)),
    ...tasks.map((name) => `${name} -> postgres:5432`),
    ...(isClustered ? ARROWS_OF_CLUSTERS : []),
    ...(isPooled ? ARROWS_OF_POOLER : []),
    ...(isBackedUp ? ['postgres -> the internet:443'] : []),
    ...(asksNats ? ['keda -> nats:8222'] : []),
    ...(isWatched ? ['monitoring -> qdrant:6333', 'monitoring -> postgres:9187'] : []),
    ...(isWatched && isPooled ? ['monitoring -> pooler:9127'] : []),
    ...(hasRoutes ? ['envoy-gateway-system -> gateway:http'] : []),
    ...proxiesOf(manifests).map((namespace) => `${namespace} -> ${SOLVER}:8089`),
  ].sort();
}

function arrowsOfProcess({ name, servers, asksModels, kind }: DeployedProcess): string[] {
  return [
    ...servers.map((server) => `${name} -> ${server}:${String(PORTS[server])}`),
    ...(kind === 'migration' ? [] : [`monitoring -> ${name}:http`, `${name} -> monitoring:4318`]),
    ...(kind === 'clients' ? [`ingress-nginx -> ${name}:http`] : []),
    ...(asksModels ? [`${name} -> the internet:443`] : []),
  ];
}

function toKubernetesApi(name: string): string[] {
  return KUBERNETES_API.flatMap((network) => [443, 6443].map((port) => `${name} -> ${network}:${port}`));
}

const ARROWS_OF_CLUSTERS = [
  'nats -> nats:6222',
  'qdrant -> qdrant:6335',
  ...[5432, 8000].flatMap((port) => [`postgres -> postgres:${port}`, `cnpg-system -> postgres:${port}`]),
  ...toKubernetesApi('postgres'),
];

const ARROWS_OF_POOLER = [
  ...DEPLOYED.filter(({ kind, servers }) => kind !== 'migration' && servers.includes('postgres')).map(
    ({ name }) => `${name} -> pooler:5432`,
  ),
  'pooler -> postgres:5432',
  ...toKubernetesApi('pooler'),
];

/** Every connection that the policies allow; one between two of our pods has to be allowed at both ends. */
export function allowedArrows(manifests: readonly Manifest[]): string[] {
  const { egress, ingress, podLabels } = ends(manifests);
  const isInside = (arrow: string): boolean => arrow.split(' -> ').every((end) => podLabels.has(nameOf(end)));
  return [...new Set([...egress, ...ingress])]
    .filter((arrow) => !isInside(arrow) || (egress.has(arrow) && ingress.has(arrow)))
    .sort();
}

const nameOf = (end: string): string => end.split(':')[0] ?? '';

const connected: Rule = (manifests) => {
  const wanted = new Set(wantedArrows(manifests));
  const allowed = new Set(allowedArrows(manifests));
  return [
    ...[...wanted].filter((arrow) => !allowed.has(arrow)).map((arrow) => `${arrow} is not allowed`),
    ...[...allowed].filter((arrow) => !wanted.has(arrow)).map((arrow) => `${arrow} is not of the design`),
  ];
};

/** What one end allows and the other does not know of: a mistake in one of them. */
const allowedAtBothEnds: Rule = (manifests) => {
  const { egress, ingress } = ends(manifests);
  const allowed = new Set(allowedArrows(manifests));
  return [...new Set([...egress, ...ingress])]
    .filter((arrow) => !allowed.has(arrow))
    .map((arrow) => `${arrow} is allowed at one end only`);
};

/** Pods that no policy selects may connect to everything. */
const closed: Rule = (manifests) => {
  const { spec } = byName(ofKind<NetworkPolicy>(manifests, 'NetworkPolicy'), 'deny-all') ?? {};
  const isOfAll = spec !== undefined && Object.keys(spec.podSelector).length === 0;
  const isOfBoth = ['Ingress', 'Egress'].every((type) => spec?.policyTypes?.includes(type));
  const isEmpty = !spec?.ingress && !spec?.egress;
  return isOfAll && isOfBoth && isEmpty ? [] : ['deny-all: does not deny what no other policy allows'];
};

/** Who may talk to whom. */
export const NETWORK_RULES: readonly Rule[] = [connected, allowedAtBothEnds, closed];

/** The labels of the pods of each workload of a cluster, by its name. */
type PodLabels = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** The namespaces of the proxies that clients, and the authority of certificates, come in by. */
const proxiesOf = (manifests: readonly Manifest[]): string[] => [
  ...(ofKind(manifests, 'Ingress').length > 0 ? ['ingress-nginx'] : []),
  ...(ofKind(manifests, 'HTTPRoute').length > 0 ? ['envoy-gateway-system'] : []),
];

/** The pod of cert-manager that proves to the authority whose the host is. */
const SOLVER = 'acme-solver';

/** What has no workload in the manifests, because an operator makes its pods. */
const operated = (manifests: readonly Manifest[]): PodLabels =>
  new Map<string, Readonly<Record<string, string>>>([
    ['postgres', { 'loci.dev/server': 'postgres' }],
    ...ofKind(manifests, 'Pooler').map(() => ['pooler', { 'loci.dev/server': 'pooler' }] as const),
    ...proxiesOf(manifests).map(() => [SOLVER, { 'acme.cert-manager.io/http01-solver': 'true' }] as const),
  ]);

function ends(manifests: readonly Manifest[]): {
  podLabels: PodLabels;
  egress: ReadonlySet<string>;
  ingress: ReadonlySet<string>;
} {
  const rendered = workloadsOf(manifests).map(
    ({ metadata, spec }) => [metadata.name, spec.template.metadata.labels] as const,
  );
  const podLabels = new Map([...operated(manifests), ...rendered]);
  const policies = ofKind<NetworkPolicy>(manifests, 'NetworkPolicy');
  const egress = policies.flatMap(({ spec }) =>
    arrows(spec.egress, podLabels, (peer, port) =>
      selected(spec.podSelector, podLabels).map((own) => `${own} -> ${peer}:${port}`),
    ),
  );
  const ingress = policies.flatMap(({ spec }) =>
    arrows(spec.ingress, podLabels, (peer, port) =>
      selected(spec.podSelector, podLabels).map((own) => `${peer} -> ${own}:${port}`),
    ),
  );
  return { podLabels, egress: new Set(egress), ingress: new Set(ingress) };
}

const ANY = 'anybody';

function arrows(
  traffic: readonly Traffic[] = [],
  podLabels: PodLabels,
  draw: (peer: string, port: string) => string[],
): string[] {
  return traffic.flatMap(({ from, to, ports }) => {
    const peers = from ?? to;
    const names = peers?.length ? peers.flatMap((peer) => namesOf(peer, podLabels)) : [ANY];
    const numbers = ports?.length ? ports.map(({ port }) => String(port)) : ['any port'];
    return names.flatMap((name) => numbers.flatMap((port) => draw(name, port)));
  });
}

function namesOf({ podSelector, namespaceSelector, ipBlock }: Peer, podLabels: PodLabels): string[] {
  if (ipBlock) return [networkName(ipBlock)];
  if (!namespaceSelector) return selected(podSelector ?? {}, podLabels);
  const namespace = namespaceSelector.matchLabels?.['kubernetes.io/metadata.name'] ?? ANY;
  const pods = Object.values(podSelector?.matchLabels ?? {});
  return [[namespace, ...pods].join('/')];
}

const networkName = ({ cidr, except = [] }: { cidr: string; except?: readonly string[] }): string =>
  cidr === INTERNET && [...except].sort().join() === NO_INTERNET.join() ? 'the internet' : cidr;

function selected({ matchLabels = {}, matchExpressions = [] }: Selector, podLabels: PodLabels): string[] {
  const fits = (labels: Readonly<Record<string, string>>): boolean =>
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values }) => {
      if (operator !== 'In')
        throw new Error(`The policies use the operator ${operator}, which is not read here.`);
      return values.includes(labels[key] ?? '');
    });
  return [...podLabels].filter(([, labels]) => fits(labels)).map(([name]) => name);
}
