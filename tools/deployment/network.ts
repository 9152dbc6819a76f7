import { type Manifest } from './kubernetes-schemas.js';
import { workloadsOf } from './render.js';

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
  readonly ipBlock?: { readonly cidr: string };
}

interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports: readonly { readonly port: number | string }[];
}

interface Policy extends Manifest {
  readonly spec: {
    readonly podSelector: Selector;
    readonly ingress?: readonly Rule[];
    readonly egress?: readonly Rule[];
  };
}

/** The places of a cluster by name, with the labels of their pods. */
type Places = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** PostgreSQL of CloudNativePG has no workload in the manifests: the operator makes its pods. */
const OPERATED: Places = new Map([['postgres', { 'loci.dev/server': 'postgres' }]]);

/** Which pods may open connections to which (`gateway -> nats:4222`): both ends have to allow it. */
export function arrowsOf(manifests: readonly Manifest[]): string[] {
  const places = placesOf(manifests);
  const policies = manifests.filter(isPolicy);
  const leaving = policies.flatMap((policy) => arrows(policy, 'egress', places));
  const arriving = new Set(policies.flatMap((policy) => arrows(policy, 'ingress', places)));
  return [...new Set(leaving)].filter((arrow) => arriving.has(arrow)).sort();
}

/** What one end allows and the other does not know of: a mistake in one of them. */
export function halfOpen(manifests: readonly Manifest[]): string[] {
  const places = placesOf(manifests);
  const policies = manifests.filter(isPolicy);
  const leaving = new Set(policies.flatMap((policy) => arrows(policy, 'egress', places)));
  const arriving = new Set(policies.flatMap((policy) => arrows(policy, 'ingress', places)));
  return [...leaving]
    .filter((arrow) => !arriving.has(arrow))
    .concat([...arriving].filter((a) => !leaving.has(a)));
}

/** Who may open connections to addresses outside of the cluster. */
export function leavingTheCluster(manifests: readonly Manifest[]): string[] {
  const places = placesOf(manifests);
  const policies = manifests
    .filter(isPolicy)
    .filter(({ spec: { egress = [] } }) =>
      egress.some(({ to = [] }) => to.some(({ ipBlock }) => ipBlock?.cidr === '0.0.0.0/0')),
    );
  return policies.flatMap(({ spec }) => selected(spec.podSelector, places)).sort();
}

function arrows({ spec }: Policy, direction: 'ingress' | 'egress', places: Places): string[] {
  const own = selected(spec.podSelector, places);
  return (spec[direction] ?? []).flatMap(({ from = [], to = [], ports }) => {
    const others = [...from, ...to].flatMap(({ podSelector, namespaceSelector }) =>
      podSelector && !namespaceSelector ? selected(podSelector, places) : [],
    );
    return own.flatMap((mine) =>
      others.flatMap((other) =>
        ports.map(({ port }) =>
          direction === 'egress' ? `${mine} -> ${other}:${port}` : `${other} -> ${mine}:${port}`,
        ),
      ),
    );
  });
}

function placesOf(manifests: readonly Manifest[]): Places {
  const rendered = workloadsOf(manifests).map(
    ({ metadata, spec }) => [metadata.name, spec.template.metadata.labels] as const,
  );
  return new Map([...OPERATED, ...rendered]);
}

function selected({ matchLabels = {}, matchExpressions = [] }: Selector, places: Places): string[] {
  const fits = (labels: Readonly<Record<string, string>>): boolean =>
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values }) => {
      if (operator !== 'In')
        throw new Error(`The policies use the operator ${operator}, which is not read here.`);
      return values.includes(labels[key] ?? '');
    });
  return [...places].filter(([, labels]) => fits(labels)).map(([name]) => name);
}

const isPolicy = (manifest: Manifest): manifest is Policy => manifest.kind === 'NetworkPolicy';
