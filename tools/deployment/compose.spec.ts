import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { Ajv, type ValidateFunction } from 'ajv';
import { parse } from 'yaml';
import { brokenComposeRules, type Compose, type ComposeService } from './compose.js';
import { allSettings, type Settings } from './processes.js';

const compose = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as Compose;

let settings: ReadonlyMap<string, Settings>;

beforeAll(async () => {
  settings = await allSettings();
});

test('docker-compose.yml is what the Compose specification allows, and agrees with the code', () => {
  expect(problemsOf(compose)).toEqual([]);
  expect(brokenComposeRules(compose, settings)).toEqual([]);
});

const validator = ((): ValidateFunction => {
  const schema = JSON.parse(readFileSync('node_modules/dclint/schemas/compose.schema.json', 'utf8')) as {
    $schema?: string;
  };
  delete schema.$schema;
  return new Ajv({ strict: false, validateFormats: false }).compile(schema);
})();

function problemsOf(file: unknown): unknown[] {
  validator(file);
  return validator.errors ?? [];
}

/** The file with other values in one service. */
const planted = (name: string, values: object): Compose => ({
  ...compose,
  services: { ...compose.services, [name]: { ...compose.services[name], ...values } },
});

const environment = (name: string, values: Record<string, string | undefined>): Compose => {
  const all = Object.entries({ ...serviceOf(name).environment, ...values });
  return planted(name, { environment: Object.fromEntries(all.filter(([, value]) => value !== undefined)) });
};

const serviceOf = (name: string): ComposeService => compose.services[name] ?? {};

test('what the Compose specification does not know is found', () => {
  expect(problemsOf(planted('gateway', { enviroment: {} }))).not.toEqual([]);
});

test.each([
  [
    'qdrant: is not there\nqdrant: lets everybody in\nqdrant: says not when it is healthy',
    {
      ...compose,
      services: Object.fromEntries(Object.entries(compose.services).filter(([name]) => name !== 'qdrant')),
    },
  ],
  ['nats: nats:2.14.3 is not pinned to a version and a digest', planted('nats', { image: 'nats:2.14.3' })],
  [
    `nats: nats:alpine@sha256:${'0'.repeat(64)} is not pinned to a version and a digest`,
    planted('nats', { image: `nats:alpine@sha256:${'0'.repeat(64)}` }),
  ],
  ['nats: is reachable from other machines at 4222:4222', planted('nats', { ports: ['4222:4222'] })],
  [
    'grafana: mounts ./observability/dashboards, which is not there',
    planted('grafana', { volumes: ['./observability/dashboards:/var/lib/grafana/dashboards:ro'] }),
  ],
  [
    'semantic-worker: does not get the secrets of models',
    planted('semantic-worker', { env_file: undefined }),
  ],
  [
    'gateway: is given the secrets of models',
    planted('gateway', { env_file: [{ path: '.env.models', required: false }] }),
  ],
  ['semantic-worker: cannot be scaled', planted('semantic-worker', { container_name: 'worker' })],
  ['profiles differ: observability jaeger', planted('jaeger', { profiles: [] })],
  [
    'gateway: is the image loci/gateway:0.1.0 of config-service',
    planted('gateway', { build: { ...serviceOf('gateway').build, target: 'config-service' } }),
  ],
  [
    'semantic-worker: starts apps/semantic-service/dist/api.main.js',
    planted('semantic-worker', { command: undefined }),
  ],
  ['gateway: may write to its root file system', planted('gateway', { read_only: false })],
  ['gateway: has capabilities', planted('gateway', { cap_drop: [] })],
  ['gateway: may gain privileges', planted('gateway', { security_opt: [] })],
  ['gateway: is given NATS_URI, which it does not know', environment('gateway', { NATS_URI: 'nats://nats' })],
  ['episodic-api: lacks QDRANT_URL', environment('episodic-api', { QDRANT_URL: undefined })],
  [
    'config-service: waits for nats service_healthy',
    planted('config-service', { depends_on: { nats: { condition: 'service_healthy' } } }),
  ],
  [
    'gateway: waits for nats service_started',
    planted('gateway', { depends_on: { nats: { condition: 'service_started' } } }),
  ],
  ['gateway: is not checked for health', planted('gateway', { healthcheck: { disable: true } })],
  [
    'config-migrate: is checked for health although it ends',
    planted('config-migrate', { healthcheck: undefined }),
  ],
  ['config-migrate: is restarted: always', planted('config-migrate', { restart: 'always' })],
  ['gateway: is killed before it has drained', planted('gateway', { stop_grace_period: undefined })],
  [
    'episodic-api: logs in as postgres://loci_migrate@postgres:5432/loci',
    environment('episodic-api', {
      DATABASE_URL:
        'postgres://loci_migrate:${POSTGRES_MIGRATE_PASSWORD:?run npm run compose:init}@postgres:5432/loci',
    }),
  ],
  [
    'gateway: logs in as nats://config@nats:4222',
    environment('gateway', {
      NATS_URL: 'nats://config:${NATS_CONFIG_PASSWORD:?run npm run compose:init}@nats:4222',
    }),
  ],
  [
    'gateway: has LOCI_ADMIN_KEY that everybody knows',
    environment('gateway', { LOCI_ADMIN_KEY: '${LOCI_ADMIN_KEY:-open sesame}' }),
  ],
  [
    'postgres: has POSTGRES_PASSWORD that everybody knows',
    environment('postgres', { POSTGRES_PASSWORD: '${POSTGRES_PASSWORD:?run npm run compose:init}' }),
  ],
  ['gateway: lets everybody in', environment('gateway', { AUTH: '${AUTH:-off}' })],
  ['qdrant: lets everybody in', environment('qdrant', { QDRANT__SERVICE__API_KEY: undefined })],
  ['nats: lets everybody in', planted('nats', { volumes: ['nats:/data'] })],
  ['nats: lets everybody in', { ...compose, configs: { nats: { content: 'max_payload: 8MB' } } }],
  ['nats: is not replaced when its users change', planted('nats', { labels: { 'loci.users': 'before' } })],
  [
    'what is published is config-service 9090,gateway 8080',
    planted('config-service', { ports: ['127.0.0.1:9090:9090'] }),
  ],
  ['what is published is gateway 80', planted('gateway', { ports: ['127.0.0.1:8080:80'] })],
  ['nats: says not when it is healthy', planted('nats', { healthcheck: undefined })],
  ['postgres: is made without the roles of services', planted('postgres', { volumes: [] })],
  ['postgres: services log in as its superuser', environment('postgres', { POSTGRES_USER: 'loci' })],
] satisfies [string, Compose][])('what does not agree is found: %s', (problem, file) => {
  expect(brokenComposeRules(file, settings).join('\n')).toBe(problem);
});
