import { readFileSync } from 'node:fs';
import { byName, type Manifest, ofKind, workloadsOf } from './manifests.js';
import { type Rule } from './rule.js';

interface Ingress extends Manifest {
  readonly spec: {
    readonly tls?: readonly { readonly hosts: readonly string[] }[];
    readonly rules: readonly {
      readonly host: string;
      readonly http: {
        readonly paths: readonly {
          readonly path: string;
          readonly pathType: string;
          readonly backend: { readonly service: { readonly name: string } };
        }[];
      };
    }[];
  };
}

interface Listeners extends Manifest {
  readonly spec: {
    readonly listeners: readonly {
      readonly name: string;
      readonly hostname: string;
      readonly tls?: object;
    }[];
  };
}

interface HttpRoute extends Manifest {
  readonly spec: {
    readonly parentRefs: readonly { readonly sectionName: string }[];
    readonly rules: readonly {
      readonly matches?: readonly { readonly path: { readonly type: string; readonly value: string } }[];
      readonly backendRefs?: readonly { readonly name: string }[];
    }[];
  };
}

interface Service extends Manifest {
  readonly spec: { readonly selector?: object };
}

/** Where a request to a path ends. */
interface Way {
  readonly path: string;
  readonly isExact: boolean;
  readonly service: string;
  readonly isEncrypted: boolean;
}

const ofIngress = ({ spec }: Ingress): Way[] =>
  spec.rules.flatMap(({ host, http }) =>
    http.paths.map(({ path, pathType, backend }) => ({
      path,
      isExact: pathType === 'Exact',
      service: backend.service.name,
      isEncrypted: (spec.tls ?? []).some(({ hosts }) => hosts.includes(host)),
    })),
  );

/** A rule that answers by itself, as a redirection does, leads nowhere. */
const ofRoute = ({ spec }: HttpRoute, encrypted: ReadonlySet<string>): Way[] =>
  spec.rules.flatMap(({ matches = [], backendRefs = [] }) =>
    matches.flatMap(({ path }) =>
      backendRefs.map(({ name }) => ({
        path: path.value,
        isExact: path.type === 'Exact',
        service: name,
        isEncrypted: spec.parentRefs.every(({ sectionName }) => encrypted.has(sectionName)),
      })),
    ),
  );

function waysIn(manifests: readonly Manifest[]): Way[] {
  const listeners = ofKind<Listeners>(manifests, 'Gateway').flatMap(({ spec }) => spec.listeners);
  const encrypted = new Set(listeners.filter(({ tls }) => tls).map(({ name }) => name));
  return [
    ...ofKind<Ingress>(manifests, 'Ingress').flatMap(ofIngress),
    ...ofKind<HttpRoute>(manifests, 'HTTPRoute').flatMap((route) => ofRoute(route, encrypted)),
  ];
}

/** What the gateway serves for Prometheus alone. */
const metricsPaths = (): string[] => {
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as { paths: object };
  return Object.keys(paths)
    .filter((path) => path.endsWith('/metrics'))
    .sort();
};

/** Behind a proxy, the address of each connection is that of a proxy: in records, limits and counts. */
export const knowsItsClients: Rule = (manifests) => {
  const [container] = byName(workloadsOf(manifests), 'gateway')?.spec.template.spec.containers ?? [];
  const isSet = (container?.env ?? []).some(({ name, value }) => name === 'TRUSTED_PROXIES' && value);
  return isSet ? [] : ['gateway: takes every client for the proxy before it'];
};

/** Clients come in by one way, encrypted, and to everything but the metrics, however their paths end. */
export const servedOutside: Rule = (manifests) => {
  const ways = waysIn(manifests);
  const empty = ofKind<Service>(manifests, 'Service')
    .filter(({ spec }) => spec.selector === undefined)
    .map(({ metadata }) => metadata.name);
  const isClosed = (path: string): boolean =>
    ways.some((way) => !way.isExact && way.path === path && empty.includes(way.service));
  return [
    ...(ways.some(({ path, isExact, service }) => path === '/' && !isExact && service === 'gateway')
      ? []
      : ['gateway: no client comes in']),
    ...ways
      .filter(({ isEncrypted }) => !isEncrypted)
      .map(({ path }) => `gateway: ${path} is served without TLS`),
    ...metricsPaths()
      .filter((path) => !isClosed(path))
      .map((path) => `gateway: ${path} is served to everybody`),
  ];
};
