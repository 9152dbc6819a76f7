import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { DEPLOYED, settingsOf } from './processes.js';

interface Service {
  readonly image?: string;
  readonly build?: { readonly target: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck?: { readonly disable?: boolean; readonly test?: readonly string[] };
  readonly read_only?: boolean;
  readonly profiles?: readonly string[];
}

const composeText = readFileSync('docker-compose.yml', 'utf8');
const dockerfile = readFileSync('Dockerfile', 'utf8');
const compose = parse(composeText, { merge: true }) as { services: Record<string, Service> };

const serviceOf = (name: string): Service => {
  const service = compose.services[name];
  if (!service) throw new Error(`docker-compose.yml has no service ${name}.`);
  return service;
};

/** The command that an image runs by itself. */
const commandOf = (target: string): string | undefined =>
  new RegExp(`AS ${target}\\n(?:(?!FROM)[^\\n]*\\n)*?CMD \\["([^"]+)"\\]`).exec(dockerfile)?.[1];

test('docker-compose.yml is what the Compose specification allows', () => {
  const schema = JSON.parse(readFileSync('node_modules/dclint/schemas/compose.schema.json', 'utf8')) as {
    $schema?: string;
  };
  delete schema.$schema;
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  validate(compose);
  expect(validate.errors ?? []).toEqual([]);
});

test('every image is pinned to a version', () => {
  const images = Object.values(compose.services).map(({ image = '' }) => image);
  expect(images.filter((image) => !/:v?\d+\.\d+/.test(image))).toEqual([]);
  expect(dockerfile).toMatch(/ARG NODE=node:\d+\.\d+\.\d+-/);
});

test('nothing is reachable from another machine unless its operator says so', () => {
  const published = Object.values(compose.services).flatMap(({ ports = [] }) => ports);
  expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
});

describe.each(DEPLOYED.map((process) => [process.name, process] as const))('%s', (name, process) => {
  test('runs its main module from the image of its app, on a read-only file system', () => {
    const { build, command, read_only } = serviceOf(name);
    expect(build?.target).toBe(process.app);
    expect(command?.[0] ?? commandOf(process.app)).toBe(process.main);
    expect(read_only).toBe(true);
  });

  test('is given settings that it knows, and all that it requires', async () => {
    const settings = await settingsOf(process);
    const given = Object.keys(serviceOf(name).environment ?? {});
    if (!settings) return;
    expect(given.filter((variable) => !settings.known.has(variable))).toEqual([]);
    expect(settings.required.filter((variable) => !given.includes(variable))).toEqual([]);
  });

  test('waits for the servers that it needs, and a service for its migration', () => {
    const awaited = serviceOf(name).depends_on ?? {};
    const migration = DEPLOYED.find(({ app, kind }) => app === process.app && kind === 'migration');
    expect(awaited).toEqual({
      ...Object.fromEntries(process.servers.map((server) => [server, { condition: 'service_healthy' }])),
      ...(migration &&
        process.kind !== 'migration' && {
          [migration.name]: { condition: 'service_completed_successfully' },
        }),
    });
  });

  test('is checked for health exactly when it is a service', () => {
    expect(serviceOf(name).healthcheck?.disable ?? false).toBe(process.kind === 'migration');
  });
});

test('migrations own the database, and services log in as a role that does not', () => {
  const { environment: { POSTGRES_USER, POSTGRES_DB } = {}, volumes = [] } = serviceOf('postgres');
  const [folder, scripts] = ['./k8s/components/postgres-roles', '/docker-entrypoint-initdb.d'];
  expect(volumes).toEqual(
    expect.arrayContaining(
      ['10-roles.sql', '20-passwords.sh'].map((file) => `${folder}/${file}:${scripts}/${file}:ro`),
    ),
  );
  for (const process of DEPLOYED.filter(({ servers }) => servers.includes('postgres'))) {
    const url = new URL(
      (serviceOf(process.name).environment?.['DATABASE_URL'] ?? '').replace(/\$\{[^}]*\}/, 'p'),
    );
    const login = process.kind === 'migration' ? 'loci_migrate' : 'loci';
    expect({ name: process.name, login: url.username }).toEqual({ name: process.name, login });
    expect(url.username).not.toBe(POSTGRES_USER);
    expect(url.pathname).toBe(`/${String(POSTGRES_DB)}`);
  }
});

test('every server has a health check that others can wait for', () => {
  for (const server of ['nats', 'postgres', 'qdrant'])
    expect(serviceOf(server).healthcheck?.test).toBeDefined();
});

test('only the gateway is published, where its image listens', () => {
  const published = DEPLOYED.filter(({ name }) => serviceOf(name).ports);
  expect(published.map(({ name }) => name)).toEqual(['gateway']);
  expect(dockerfile).toMatch(/AS gateway\nENV HOST=0\.0\.0\.0 PORT=8080\n/);
  expect(serviceOf('gateway').ports).toEqual(['127.0.0.1:8080:8080']);
});
