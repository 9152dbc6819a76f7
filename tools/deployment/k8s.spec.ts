import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import * as messaging from '@loci/messaging';
import { type Manifest, problemsOf } from './kubernetes-schemas.js';
import { arrowsOf, halfOpen, leavingTheCluster } from './network.js';
import { DEPLOYED, type DeployedProcess, settingsOf } from './processes.js';
import { type Container, OVERLAYS, render, type Workload, workloadsOf } from './render.js';

/** One file makes the roles everywhere; the fleets of our tests run it too. */
const ROLES = 'k8s/components/postgres-roles/10-roles.sql';
const PORTS: Readonly<Record<string, number>> = { nats: 4222, postgres: 5432, qdrant: 6333 };

test('a field that no schema knows is found, and so is one of the wrong type', async () => {
  const pod = (container: object): Manifest & object => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    ...{ spec: { containers: [{ name: 'c', ...container }] } },
  });
  expect(await problemsOf(pod({ image: 'i' }))).toEqual([]);
  expect(await problemsOf(pod({ imagePullPolice: 'Always' }))).toEqual([
    'p: Pod.spec.containers.0.imagePullPolice is not known',
  ]);
  expect(await problemsOf(pod({ image: 5 }))).toEqual([expect.stringMatching(/image must be string/)]);
});

test('a database cluster is held to the schema of its operator', async () => {
  const [cluster] = render('production').filter(({ kind }) => kind === 'Cluster') as (Manifest & {
    spec: object;
  })[];
  expect(cluster?.apiVersion).toBe('postgresql.cnpg.io/v1');
  const planted = (spec: object): Promise<string[]> =>
    problemsOf({ ...cluster, spec: { ...cluster?.spec, ...spec } } as Manifest);
  expect(await planted({})).toEqual([]);
  expect(await planted({ instances: 'three' })).toEqual([expect.stringMatching(/instances must be integer/)]);
  expect(await planted({ managed: { roles: [{ name: 'loci', bypassRLS: true }] } })).toEqual([
    'loci-postgres: Cluster.spec.managed.roles.0.bypassRLS is not known',
  ]);
});

test('a commit waits for a standby in sync, however long there is none', () => {
  const [cluster] = render('production').filter(({ kind }) => kind === 'Cluster') as (Manifest & {
    spec: { postgresql: { synchronous: object } };
  })[];
  // exactly these: `dataDurability: preferred`, and the bounds below, give way when no standby is there
  expect(cluster?.spec.postgresql.synchronous).toEqual({ method: 'any', number: 1 });
  expect(cluster).not.toHaveProperty('spec.minSyncReplicas');
  expect(cluster).not.toHaveProperty('spec.maxSyncReplicas');
});

describe.each(OVERLAYS)('%s', (overlay) => {
  const manifests = render(overlay);
  const workloads = workloadsOf(manifests);
  const kinds = (kind: string): Manifest[] => manifests.filter((manifest) => manifest.kind === kind);
  const named = (kind: string, name: string): Manifest | undefined =>
    kinds(kind).find(({ metadata }) => metadata.name === name);
  const workloadOf = ({ name, kind }: DeployedProcess): Workload => {
    const found = workloads.find(
      (workload) => workload.metadata.name === name && (workload.kind === 'Job') === (kind === 'migration'),
    );
    if (!found) throw new Error(`k8s has no ${name}.`);
    return found;
  };
  const containers = workloads.flatMap(({ spec }) => spec.template.spec.containers);
  const settings = named('ConfigMap', 'loci-settings') as Manifest & { data: Record<string, string> };
  const variablesOf = ({ env = [], envFrom = [] }: Container): string[] => [
    ...env.map(({ name }) => name),
    ...(envFrom.length > 0 ? Object.keys(settings.data) : []),
  ];

  test('every object is what its API version allows', async () => {
    expect((await Promise.all(manifests.map(problemsOf))).flat()).toEqual([]);
  });

  test('everything is in the namespace, and that is restricted', () => {
    const elsewhere = manifests.filter(
      ({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'loci',
    );
    expect(elsewhere.map(({ metadata }) => metadata.name)).toEqual([]);
    expect(named('Namespace', 'loci')?.metadata.labels).toMatchObject({
      'pod-security.kubernetes.io/enforce': 'restricted',
    });
  });

  test('exactly the processes of the product are deployed, each from the image of its app', () => {
    const ours = workloads.filter(({ spec }) => spec.template.spec.containers[0]?.image.startsWith('loci/'));
    expect(ours.map(({ metadata }) => metadata.name).sort()).toEqual(DEPLOYED.map(({ name }) => name).sort());
    for (const process of DEPLOYED) {
      const [container] = workloadOf(process).spec.template.spec.containers;
      expect(container?.image).toMatch(new RegExp(`^loci/${process.app}:`));
      expect(container?.args).toEqual([process.main]);
    }
  });

  test.each(DEPLOYED.map((process) => [process.name, process] as const))(
    '%s is given all settings that it requires, and none that nobody knows',
    async (_, process) => {
      const known = await settingsOf(process);
      const [container] = workloadOf(process).spec.template.spec.containers;
      if (!known || !container) return;
      const given = variablesOf(container);
      expect(known.required.filter((variable) => !given.includes(variable))).toEqual([]);
      const own = (container.env ?? []).map(({ name }) => name);
      expect(own.filter((variable) => !known.known.has(variable))).toEqual([]);
    },
  );

  test('every shared setting is known to some process', async () => {
    const schemas = await Promise.all(DEPLOYED.map(settingsOf));
    const unknown = Object.keys(settings.data).filter(
      (name) => !name.startsWith('OTEL_') && !schemas.some((schema) => schema?.known.has(name)),
    );
    expect(unknown).toEqual([]);
  });

  test('what is secret comes by reference, and every reference leads somewhere', () => {
    const provided = new Set(
      [...kinds('Secret'), ...kinds('ExternalSecret')].map(({ metadata }) => metadata.name),
    );
    const referred = containers.flatMap(({ env = [] }) =>
      env.flatMap(({ valueFrom }) => (valueFrom?.secretKeyRef ? [valueFrom.secretKeyRef] : [])),
    );
    expect(referred.filter(({ name, optional }) => !optional && !provided.has(name))).toEqual([]);
    const literal = containers.flatMap(({ env = [] }) =>
      env.filter(({ name, value }) => value && /URL|KEY|TOKEN|PASS/.test(name)),
    );
    expect(literal).toEqual([]);
  });

  test('migrations own the database, and services log in as a role that does not', () => {
    const loginOf = (process: DeployedProcess): string | undefined =>
      workloadOf(process)
        .spec.template.spec.containers[0]?.env?.find(({ name }) => name === 'DATABASE_URL')
        // kustomize marks what it generates with a hash
        ?.valueFrom?.secretKeyRef?.name.replace(/-[a-z0-9]{10}$/, '');
    for (const process of DEPLOYED.filter(({ servers }) => servers.includes('postgres'))) {
      const wanted = process.kind === 'migration' ? 'loci-postgres-migrate' : 'loci-postgres';
      expect({ name: process.name, login: loginOf(process) }).toEqual({ name: process.name, login: wanted });
    }
    const roles = named('ConfigMap', 'postgres-roles') as Manifest & { data: Record<string, string> };
    expect(roles.data['10-roles.sql']).toBe(readFileSync(ROLES, 'utf8'));
    const servers = manifests.filter(
      ({ kind, metadata }) => kind === 'Cluster' || metadata.name === 'postgres',
    );
    expect(JSON.stringify(servers)).toContain('"name":"postgres-roles"');
  });

  test('the processes may talk to what they need, and to nothing else', () => {
    const wanted = DEPLOYED.flatMap(({ name, servers }) =>
      servers.map((server) => `${name} -> ${server}:${String(PORTS[server])}`),
    );
    const names = new Set(DEPLOYED.map(({ name }) => name));
    const ours = arrowsOf(manifests).filter((arrow) => names.has(arrow.split(' ')[0] ?? ''));
    expect(ours).toEqual(wanted.sort());
    expect(halfOpen(manifests)).toEqual([]);
    expect(named('NetworkPolicy', 'deny-all')).toMatchObject({ spec: { podSelector: {} } });
  });

  test('only the processes that ask models may leave the cluster', () => {
    const asking = DEPLOYED.filter(({ asksModels }) => asksModels).map(({ name }) => name);
    expect(leavingTheCluster(manifests)).toEqual(asking.sort());
  });
});

describe('workers scale on their backlog', () => {
  const consumers = Object.values(messaging).filter(
    (value): value is messaging.ConsumerDeclaration => typeof value === 'object' && 'ackWaitMs' in value,
  );
  const streams: readonly string[] = messaging.STREAMS.map(({ name }) => name);

  test('by KEDA, on consumers and streams that exist', () => {
    const scalers = render('production').filter(({ kind }) => kind === 'ScaledObject') as (Manifest & {
      spec: { triggers: { metadata: { stream: string; consumer: string } }[] };
    })[];
    expect(scalers.map(({ metadata }) => metadata.name)).toEqual(['episodic-worker', 'semantic-worker']);
    const watched = scalers.flatMap(({ spec }) => spec.triggers.map(({ metadata }) => metadata));
    for (const { stream, consumer } of watched.filter((one) => streams.includes(one.stream))) {
      expect(consumers.map(({ name }) => name)).toContain(consumer);
      expect(consumers.find(({ name }) => name === consumer)?.stream.name).toBe(stream);
    }
  });

  test('or by an external metric of the same consumers', () => {
    const text = JSON.stringify(
      render('production-hpa').filter(({ kind }) => kind === 'HorizontalPodAutoscaler'),
    );
    const keda = JSON.stringify(render('production').filter(({ kind }) => kind === 'ScaledObject'));
    for (const [, consumer] of keda.matchAll(/"consumer":"([^"]+)"/g)) {
      expect(text).toContain(`"consumer_name":"${String(consumer)}"`);
    }
  });
});
