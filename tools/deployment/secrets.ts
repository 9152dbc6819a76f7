import { readFileSync } from 'node:fs';
import {
  containersOf,
  type DatabaseCluster,
  type KeyReference,
  type Manifest,
  ofKind,
  type Workload,
  workloadsOf,
} from './manifests.js';
import { type ObjectStore } from './backups.js';
import { DEPLOYED, type DeployedProcess } from './processes.js';
import { ofContainers, ofWorkloads, type Rule } from './rule.js';

interface Secret extends Manifest {
  readonly data?: Readonly<Record<string, string>>;
}

interface ExternalSecret extends Manifest {
  readonly spec: {
    readonly secretStoreRef: { readonly kind: string; readonly name: string };
    readonly target: { readonly name: string };
    readonly data: readonly {
      readonly secretKey: string;
      readonly remoteRef: { readonly key: string; readonly property: string };
    }[];
  };
}

interface Reference extends KeyReference {
  readonly from: string;
}

/** What a secret is called in an environment. */
const SECRET = /URL|KEY|TOKEN|PASS/;

/** kustomize marks the names of what it generates with a hash. */
export const withoutHash = (name: string): string => name.replace(/-[a-z0-9]{10}$/, '');

const keysOf = (manifests: readonly Manifest[]): { name: string; key: string }[] => [
  ...ofKind<Secret>(manifests, 'Secret').flatMap(({ metadata, data = {} }) =>
    Object.keys(data).map((key) => ({ name: metadata.name, key })),
  ),
  ...ofKind<ExternalSecret>(manifests, 'ExternalSecret').flatMap(({ spec }) =>
    spec.data.map(({ secretKey }) => ({ name: spec.target.name, key: secretKey })),
  ),
];

const referencesOf = (manifests: readonly Manifest[]): Reference[] => [
  ...workloadsOf(manifests).flatMap(ofWorkload),
  ...ofKind<DatabaseCluster>(manifests, 'Cluster').flatMap(ofCluster),
  ...ofKind<ObjectStore>(manifests, 'ObjectStore').flatMap(ofObjectStore),
];

const ofWorkload = (workload: Workload): Reference[] =>
  containersOf(workload).flatMap(({ env = [] }) =>
    env.flatMap(({ valueFrom }) =>
      valueFrom?.secretKeyRef ? [{ from: workload.metadata.name, ...valueFrom.secretKeyRef }] : [],
    ),
  );

/** CloudNativePG takes a login from a Secret of the type basic-auth. */
const ofCluster = ({ metadata, spec }: DatabaseCluster): Reference[] =>
  [spec.bootstrap.initdb.secret, ...spec.managed.roles.map(({ passwordSecret }) => passwordSecret)].flatMap(
    ({ name }) => ['username', 'password'].map((key) => ({ from: metadata.name, name, key })),
  );

const ofObjectStore = ({ metadata, spec }: ObjectStore): Reference[] =>
  Object.values(spec.configuration.s3Credentials).map((key) => ({ from: metadata.name, ...key }));

const isSame = (a: { name: string; key: string }, b: { name: string; key: string }): boolean =>
  a.name === b.name && a.key === b.key;

const unprovided = (manifests: readonly Manifest[]): Reference[] => {
  const keys = keysOf(manifests);
  return referencesOf(manifests).filter(
    (reference) => !reference.optional && !keys.some((key) => isSame(key, reference)),
  );
};

const provided: Rule = (manifests) =>
  unprovided(manifests).map(
    ({ from, name, key }) => `${from}: reads ${key} of ${name}, which nothing provides`,
  );

/** The second step of an upgrade (docs/operations.md) applies what has this label, before anything else. */
const isAppliedFirst = ({ metadata }: Manifest): boolean => metadata.labels?.['loci.dev/server'] === 'nats';

const providedInTime: Rule = (manifests) => {
  const later = keysOf(manifests.filter((manifest) => !isAppliedFirst(manifest)));
  return unprovided(manifests.filter(isAppliedFirst))
    .filter((reference) => later.some((key) => isSame(key, reference)))
    .map(({ from, name, key }) => `${from}: reads ${key} of ${name}, which an upgrade applies after it`);
};

const used: Rule = (manifests) => {
  const references = referencesOf(manifests);
  return keysOf(manifests)
    .filter((key) => !references.some((reference) => isSame(key, reference)))
    .map(({ name, key }) => `${name}: provides ${key}, which no process reads`);
};

const byReference = ofContainers(({ env = [] }) => {
  const literal = env.filter(({ name, value }) => value && SECRET.test(name)).map(({ name }) => name);
  return literal.length > 0 ? `contains ${literal.join()} itself` : undefined;
});

const fromTheStore: Rule = (manifests) =>
  ofKind<ExternalSecret>(manifests, 'ExternalSecret')
    .filter(
      ({ spec: { secretStoreRef: store } }) => `${store.kind} ${store.name}` !== 'ClusterSecretStore loci',
    )
    .map(({ metadata }) => `${metadata.name}: is not from the ClusterSecretStore loci`);

/** The operator who fills the store reads there what it has to contain. */
const documented: Rule = (manifests) => {
  const readme = readFileSync('k8s/README.md', 'utf8');
  return ofKind<ExternalSecret>(manifests, 'ExternalSecret').flatMap(({ spec }) =>
    spec.data
      .filter(({ remoteRef: { key, property } }) => {
        const row = new RegExp(`^\\| \`${key}\`.*$`, 'm').exec(readme)?.[0] ?? '';
        return !row.includes(`\`${property}\``);
      })
      .map(({ remoteRef: { key, property } }) => `${key}: k8s/README.md does not tell of ${property}`),
  );
};

/** The Secret with the login of a process: its service's own, and that of the owner of the schemas for a migration. */
const LOGINS: readonly [string, string, (process: DeployedProcess) => string][] = [
  ['nats', 'NATS_URL', ({ user }) => `loci-nats-${user}`],
  [
    'postgres',
    'DATABASE_URL',
    ({ kind, user }) => `loci-postgres-${kind === 'migration' ? 'migrate' : user}`,
  ],
];

const leastPrivileged = ofWorkloads(({ metadata, spec }) => {
  const process = DEPLOYED.find(({ name }) => name === metadata.name);
  const env = spec.template.spec.containers[0]?.env ?? [];
  const wrong = LOGINS.filter(([server]) => process?.servers.includes(server)).flatMap(
    ([server, variable, wanted]) => {
      const url = env.find(({ name }) => name === variable)?.valueFrom?.secretKeyRef?.name ?? 'nothing';
      return process && withoutHash(url) === wanted(process) ? [] : [`${server} with ${url}`];
    },
  );
  return wrong.length > 0 ? `logs into ${wrong.join()}` : undefined;
});

/** Where secrets come from, and who reads them. */
export const SECRET_RULES: readonly Rule[] = [
  provided,
  providedInTime,
  used,
  byReference,
  fromTheStore,
  documented,
  leastPrivileged,
];
