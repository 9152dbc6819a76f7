import { describe, expect, test } from '@jest/globals';
import { type Manifest } from './kubernetes-schemas.js';
import { arrowsOf, halfOpen, leavingTheCluster } from './network.js';
import { brokenPolicies } from './policies.js';
import { OVERLAYS, render } from './render.js';

/** Any part of a manifest. */
interface Node {
  [key: string]: (Node & Node[]) | undefined;
}

const production = render('production');

/** The manifests with a change to one of them. */
function planted(kind: string, name: string, change: (manifest: Node) => void): Manifest[] {
  const copy = structuredClone(production);
  const found = copy.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (!found) throw new Error(`There is no ${kind} ${name}.`);
  change(found as unknown as Node);
  return copy;
}

const without = (kind: string, name: string): Manifest[] =>
  production.filter((manifest) => manifest.kind !== kind || manifest.metadata.name !== name);

const set = (target: Node | undefined, values: object): void => void Object.assign(target ?? {}, values);

const podOf = (manifest: Node): Node => manifest['spec']?.['template']?.['spec'] ?? {};
const containerOf = (manifest: Node): Node => podOf(manifest)['containers']?.[0] ?? {};

test.each(OVERLAYS)('%s keeps every policy', (overlay) => {
  expect(brokenPolicies(render(overlay))).toEqual([]);
});

const VIOLATIONS: [string, Manifest[]][] = [
  [
    'nats: nats:latest is not pinned to a version',
    planted('StatefulSet', 'nats', (it) => set(containerOf(it), { image: 'nats:latest' })),
  ],
  [
    'gateway: does not say what it needs at least and may use at most',
    planted('Deployment', 'gateway', (it) => set(containerOf(it), { resources: { requests: { cpu: '1' } } })),
  ],
  [
    'gateway: may gain privileges',
    planted('Deployment', 'gateway', (it) =>
      set(containerOf(it)['securityContext'], { allowPrivilegeEscalation: true }),
    ),
  ],
  [
    'gateway: has capabilities',
    planted('Deployment', 'gateway', (it) =>
      set(containerOf(it)['securityContext'], { capabilities: { drop: ['ALL'], add: ['NET_ADMIN'] } }),
    ),
  ],
  [
    'config-migrate: may write to its root file system',
    planted('Job', 'config-migrate', (it) =>
      set(containerOf(it)['securityContext'], { readOnlyRootFilesystem: false }),
    ),
  ],
  [
    'semantic-worker: lacks a probe',
    planted('Deployment', 'semantic-worker', (it) => set(containerOf(it), { readinessProbe: undefined })),
  ],
  [
    'qdrant: may run as root',
    planted('StatefulSet', 'qdrant', (it) => set(podOf(it)['securityContext'], { runAsNonRoot: false })),
  ],
  [
    'gateway: may make any system call',
    planted('Deployment', 'gateway', (it) =>
      set(podOf(it)['securityContext'], { seccompProfile: { type: 'Unconfined' } }),
    ),
  ],
  [
    'gateway: shares a namespace with its node',
    planted('Deployment', 'gateway', (it) => set(podOf(it), { hostNetwork: true })),
  ],
  [
    'gateway: mounts hostPath',
    planted('Deployment', 'gateway', (it) => set(podOf(it), { volumes: [{ name: 'v', hostPath: {} }] })),
  ],
  [
    'gateway: is given a token of the Kubernetes API',
    planted('Deployment', 'gateway', (it) => set(podOf(it), { automountServiceAccountToken: true })),
  ],
  ['gateway: has no account without a token', without('ServiceAccount', 'gateway')],
  [
    'episodic-api: is not spread over zones and nodes',
    planted('Deployment', 'episodic-api', (it) => set(podOf(it), { topologySpreadConstraints: [] })),
  ],
  [
    'gateway: may lose more than one replica at a time',
    planted('PodDisruptionBudget', 'gateway', (it) => set(it['spec'], { maxUnavailable: 2 })),
  ],
  [
    'gateway: is killed before it has drained',
    planted('Deployment', 'gateway', (it) => set(podOf(it), { terminationGracePeriodSeconds: 30 })),
  ],
  ['episodic-api: does not scale on requests', without('HorizontalPodAutoscaler', 'episodic-api')],
  [
    'semantic-migrate: is tried for ever, or stays',
    planted('Job', 'semantic-migrate', (it) => set(it['spec'], { ttlSecondsAfterFinished: undefined })),
  ],
];

test.each(VIOLATIONS)('what breaks one is found: %s', (problem, manifests) => {
  expect(brokenPolicies(manifests)).toEqual([problem]);
});

describe('the network', () => {
  const gateway = { podSelector: { matchLabels: { 'app.kubernetes.io/name': 'gateway' } } };
  const postgres = { podSelector: { matchLabels: { 'loci.dev/server': 'postgres' } } };
  const policy = (name: string, spec: object): Manifest => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, namespace: 'loci' },
    ...{ spec },
  });
  const leave = policy('planted-egress', {
    ...gateway,
    egress: [{ to: [postgres], ports: [{ port: 5432 }] }],
  });
  const arrive = policy('planted-ingress', {
    ...postgres,
    ingress: [{ from: [gateway], ports: [{ port: 5432 }] }],
  });
  const added = (...policies: Manifest[]): string[] =>
    arrowsOf([...production, ...policies]).filter((arrow) => !arrowsOf(production).includes(arrow));

  test('an arrow that is not of the design is found when both ends allow it, and a half of one too', () => {
    expect(added(leave, arrive)).toEqual(['gateway -> postgres:5432']);
    expect(added(leave)).toEqual([]);
    expect(halfOpen([...production, leave])).toEqual(['gateway -> postgres:5432']);
    expect(halfOpen([...production, arrive])).toEqual(['gateway -> postgres:5432']);
  });

  test('a way out of the cluster is found', () => {
    const out = policy('planted-out', {
      ...gateway,
      egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0' } }], ports: [{ port: 443 }] }],
    });
    expect(leavingTheCluster([...production, out])).toContain('gateway');
  });

  test('one that is missing is found', () => {
    const missing = arrowsOf(without('NetworkPolicy', 'serve-qdrant'));
    expect(arrowsOf(production).filter((arrow) => !missing.includes(arrow))).toContain(
      'episodic-api -> qdrant:6333',
    );
  });
});
