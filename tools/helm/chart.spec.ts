import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';
import { problemsOf } from '../deployment/kubernetes-schemas.js';
import { type Manifest } from '../deployment/manifests.js';
import { DEPLOYED } from '../deployment/processes.js';
import { kustomized } from '../deployment/render.js';
import { withoutHash } from '../deployment/secrets.js';
import { renderTemplate } from './go-template.js';

const CHART = 'charts/loci';
const TEMPLATES = `${CHART}/templates`;

type Values = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const read = (file: string): string => readFileSync(`${CHART}/${file}`, 'utf8');
const defaults = parse(read('values.yaml'), { version: '1.1' }) as Values;
const { appVersion } = parse(read('Chart.yaml')) as { appVersion: string };

const on = { enabled: true };
const everything: Values = {
  ...defaults,
  ingress: { ...defaults['ingress'], ...on },
  keda: { ...defaults['keda'], ...on },
  backup: { ...defaults['backup'], ...on },
  monitoring: { ...defaults['monitoring'], ...on },
};

const objectsIn = (text: string): Manifest[] =>
  parseAllDocuments(text, { version: '1.1' })
    .map((document) => document.toJS() as Manifest | null)
    .filter((one) => one !== null);

const rendered = (values: Values, namespace = 'loci'): Manifest[] =>
  readdirSync(TEMPLATES).flatMap((file) =>
    objectsIn(
      renderTemplate(readFileSync(`${TEMPLATES}/${file}`, 'utf8'), { values, appVersion, namespace }),
    ),
  );

/** Without what Helm and Kustomize do differently: the namespace, hooks, and how pods notice new settings. */
function compared(manifests: readonly Manifest[]): Map<string, unknown> {
  return new Map(
    manifests.map((one) => {
      const name = one.kind === 'ConfigMap' ? withoutHash(one.metadata.name) : one.metadata.name;
      const text = JSON.stringify(one, (key, value: unknown) => {
        // migrations of the chart run before its priorities are there
        if (key === 'priorityClassName' && one.kind === 'Job') return undefined;
        if (key === 'namespace' || isOfInstaller(key)) return undefined;
        if (key === 'annotations' && isHookOnly(value)) return undefined;
        if (typeof value === 'object' && value !== null && !Array.isArray(value)) return sorted(value);
        return typeof value === 'string' ? withoutHash(value) : value;
      });
      return [`${one.kind} ${name}`, JSON.parse(text) as unknown];
    }),
  );
}

/** What would be left without them is empty. */
const isHookOnly = (annotations: unknown): boolean => Object.keys(annotations as object).every(isOfInstaller);

/** What Helm and Argo CD go by. */
const isOfInstaller = (key: string): boolean =>
  key === 'checksum/settings' || key.startsWith('helm.sh/') || key.startsWith('argocd.');

const sorted = (object: object): object =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Of servers and of operators, or what Helm makes itself. */
const LEFT_OUT = new Set([
  'Namespace loci',
  'PodMonitor pooler',
  'PodMonitor postgres',
  'PodMonitor qdrant',
  'NetworkPolicy nats-monitor',
  'NetworkPolicy serve-backup',
  'NetworkPolicy serve-nats',
  'NetworkPolicy serve-postgres',
  'NetworkPolicy serve-qdrant',
  'NetworkPolicy solve-challenges',
  'NetworkPolicy watched-pooler',
  'NetworkPolicy watched-postgres',
  'NetworkPolicy watched-qdrant',
]);

interface Policy extends Manifest {
  readonly spec: { readonly podSelector: object };
}

const NAME = 'app.kubernetes.io/name';

/** The pods of the chart, and no other pod of their namespace. */
const OF_ALL = {
  matchExpressions: [
    { key: NAME, operator: 'In', values: [...DEPLOYED.map(({ name }) => name), 'backup'].sort() },
  ],
};

const isPolicy = (one: Manifest): one is Policy => one.kind === 'NetworkPolicy';

/** In a namespace that is Loci's alone, Kustomize selects all pods of it. */
const aboutOurPods = (one: Manifest): Manifest =>
  isPolicy(one) && Object.keys(one.spec.podSelector).length === 0
    ? { ...one, ...{ spec: { ...one.spec, podSelector: OF_ALL } } }
    : one;

test('with everything switched on, the chart is what Kustomize makes of the same source', () => {
  const made = kustomized('k8s/chart-source').map(aboutOurPods);
  const source = [...compared(made)].filter(([name]) => !LEFT_OUT.has(name));
  const chart = compared(rendered(everything));
  expect([...chart.keys()].sort()).toEqual(source.map(([name]) => name).sort());
  for (const [name, object] of source) {
    if (name !== 'PrometheusRule loci') expect([name, chart.get(name)]).toEqual([name, object]);
  }
});

test('the alerts of the chart are those of every installation and of its backup, as Prometheus reads them', () => {
  const ofBackup = groupsOf('cluster-alerts.yml').filter(({ name }) => name === 'loci-backup-files');
  expect(ofBackup).toHaveLength(1);
  expect(alertsOf('loci')).toEqual([...groupsOf('alerts.yml'), ...ofBackup]);
});

test('the alert of the backup is about the namespace of the release', () => {
  expect(JSON.stringify(alertsOf('memory'))).toContain(
    JSON.stringify('kube_cronjob_created{namespace="memory",cronjob="backup"}').slice(1, -1),
  );
});

const groupsOf = (file: string): readonly { readonly name: string }[] =>
  (parse(readFileSync(`observability/${file}`, 'utf8')) as { groups: readonly { name: string }[] }).groups;

const alertsOf = (namespace: string): unknown => {
  const rules = rendered(everything, namespace).find(({ kind }) => kind === 'PrometheusRule');
  return (rules as { spec?: { groups?: unknown } } | undefined)?.spec?.groups;
};

test('every object of the chart is what its API version allows', async () => {
  const problems: string[] = [];
  for (const manifest of rendered(everything)) problems.push(...(await problemsOf(manifest)));
  expect(problems).toEqual([]);
});

test('what is switched off is not there', () => {
  const off: Values = {
    ...defaults,
    priorityClasses: { create: false },
    networkPolicies: { enabled: false },
  };
  const kinds = new Set(rendered(off).map(({ kind }) => kind));
  for (const kind of [
    'Ingress',
    'ScaledObject',
    'CronJob',
    'PersistentVolumeClaim',
    'PodMonitor',
    'PrometheusRule',
    'PriorityClass',
    'NetworkPolicy',
  ]) {
    expect(kinds).not.toContain(kind);
  }
});

test('every policy selects pods of the chart by their names, and none of the servers beside them', () => {
  const policies = rendered(everything).filter(isPolicy);
  expect(policies.map(({ metadata }) => metadata.name)).toContain('deny-all');
  for (const { metadata, spec } of policies) {
    expect([metadata.name, JSON.stringify(spec.podSelector)]).toEqual([
      metadata.name,
      expect.stringContaining(NAME),
    ]);
  }
});

test('processes and migrations may connect to servers where the values say that they are', () => {
  const pooler = { podSelector: { matchLabels: { 'cnpg.io/poolerName': 'pooler' } } };
  const cluster = { podSelector: { matchLabels: { 'cnpg.io/cluster': 'postgres' } } };
  const made = rendered({
    ...everything,
    networkPolicies: {
      ...defaults['networkPolicies'],
      nats: [{ ipBlock: { cidr: '10.1.2.3/32' } }],
      postgres: [cluster, pooler],
    },
  });
  const policyOf = (name: string): unknown =>
    made.filter(isPolicy).find(({ metadata }) => metadata.name === name);
  expect(policyOf('use-nats')).toMatchObject({
    spec: { egress: [{ to: [{ ipBlock: { cidr: '10.1.2.3/32' } }], ports: [{ port: 4222 }] }] },
  });
  for (const name of ['use-postgres', 'backup']) {
    expect(policyOf(name)).toMatchObject({ spec: { egress: [{ to: [cluster, pooler] }] } });
  }
});

test('backups outlive the switch that makes them, and the release', () => {
  const claims = rendered(everything).filter(({ kind }) => kind === 'PersistentVolumeClaim');
  expect(claims.map(({ metadata }) => metadata.annotations)).toEqual([{ 'helm.sh/resource-policy': 'keep' }]);
});

test('values are used where they belong', () => {
  const values: Values = {
    ...everything,
    image: { registry: 'registry.example/loci', tag: '1.2.3' },
    settings: { LOG_LEVEL: 'debug', NATS_STREAM_REPLICAS: '3' },
    gateway: { ...defaults['gateway'], maxReplicas: 50, trustedProxies: '10.244.0.0/16,fd00::/8' },
    migrations: { activeDeadlineSeconds: 1_000_000 },
  };
  const text = JSON.stringify(rendered(values));
  expect(text).toContain('"image":"registry.example/loci/gateway:1.2.3"');
  expect(text).toContain('"data":{"LOG_LEVEL":"debug","NATS_STREAM_REPLICAS":"3"}');
  expect(text).toContain('"maxReplicas":50');
  expect(text).toContain('{"name":"TRUSTED_PROXIES","value":"10.244.0.0/16,fd00::/8"}');
  expect(text.match(/"activeDeadlineSeconds":1000000\b/g)).toHaveLength(3);
});

test('a gateway that anyone may reach is told its client by none', () => {
  const off = { enabled: false };
  const open = {
    ...defaults,
    networkPolicies: { ...defaults['networkPolicies'], ...off },
    ingress: { ...defaults['ingress'], ...off },
  };
  expect(JSON.stringify(rendered(open))).toContain('{"name":"TRUSTED_PROXIES","value":""}');
});

const isValid = new Ajv().compile(JSON.parse(read('values.schema.json')) as object);

test('the schema takes the values of the chart', () => {
  expect(isValid(defaults)).toBe(true);
  expect(isValid(everything)).toBe(true);
});

test.each([
  ['a key that is not there', { ...defaults, gatway: {} }],
  [
    'a number of replicas that is none',
    { ...defaults, gateway: { ...defaults['gateway'], maxReplicas: 'many' } },
  ],
  ['migrations without any time', { ...defaults, migrations: { activeDeadlineSeconds: 0 } }],
  ['a setting that is no text', { ...defaults, settings: { NATS_STREAM_REPLICAS: 3 } }],
  [
    'a server that is nowhere, which would be everywhere',
    { ...defaults, networkPolicies: { ...defaults['networkPolicies'], nats: [] } },
  ],
  ['a switch that is none', { ...defaults, ingress: { ...defaults['ingress'], enabled: 'yes' } }],
])('the schema refuses %s', (_, values) => {
  expect(isValid(values)).toBe(false);
});

/** Another one than that of PATH: the variable HELM. */
const HELM = process.env['HELM'] ?? 'helm';
const isThere = spawnSync(HELM, ['version']).error === undefined;
if (!isThere) {
  process.stderr.write(
    'helm is not installed: the chart was rendered by the expressions that it uses alone.\n',
  );
}

(isThere ? test : test.skip)('Helm makes the same of it', () => {
  const flags = ['ingress', 'keda', 'monitoring', 'backup'].flatMap((name) => [
    '--set',
    `${name}.enabled=true`,
  ]);
  execFileSync(HELM, ['lint', CHART], { stdio: 'pipe' });
  const made = execFileSync(HELM, ['template', 'loci', CHART, ...flags], { encoding: 'utf8' });
  expect([...compared(objectsIn(made))].sort()).toEqual([...compared(rendered(everything))].sort());
});
