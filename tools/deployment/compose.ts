import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { STOP_TIMEOUT_MS } from '@loci/platform';
import { SECRETS } from '../compose-init.mjs';
import { imageOf, probePortOf } from './dockerfile.js';
import { looseness } from './images.js';
import { DEPLOYED, type DeployedProcess, type Settings } from './processes.js';

export interface ComposeService {
  readonly image?: string;
  readonly build?: { readonly target: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly env_file?: readonly { readonly path: string; readonly required?: boolean }[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>> | readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck?: { readonly disable?: boolean; readonly test?: readonly string[] };
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
  readonly restart?: string;
  readonly profiles?: readonly string[];
  readonly container_name?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface Compose {
  readonly configs: Readonly<Record<string, { readonly content: string }>>;
  readonly services: Readonly<Record<string, ComposeService>>;
}

type ComposeRule = (compose: Compose, settings: ReadonlyMap<string, Settings>) => string[];

const SERVERS = ['nats', 'postgres', 'qdrant'];

/** What is only started when it is asked for, by profile. */
const PROFILES: Readonly<Record<string, readonly string[]>> = {
  'fake-models': ['fake-models'],
  observability: ['grafana', 'jaeger', 'prometheus'],
};

const migrationOf = ({ app, kind }: DeployedProcess): string | undefined =>
  kind === 'migration'
    ? undefined
    : DEPLOYED.find((other) => other.app === app && other.kind === 'migration')?.name;

/** A rule about each service of the file. */
const ofServices =
  (problem: (service: ComposeService, name: string) => string | undefined): ComposeRule =>
  ({ services }) =>
    Object.entries(services).flatMap(([name, service]) => sentences(name, problem(service, name)));

/** A rule about each process of ours. */
const ofProcesses =
  (
    problem: (
      service: ComposeService,
      process: DeployedProcess,
      settings: Settings | undefined,
    ) => string | undefined,
  ): ComposeRule =>
  ({ services }, settings) =>
    DEPLOYED.flatMap((process) => {
      const service = services[process.name];
      return service ? sentences(process.name, problem(service, process, settings.get(process.name))) : [];
    });

const sentences = (name: string, problem: string | undefined): string[] =>
  problem === undefined ? [] : [`${name}: ${problem}`];

const complete: ComposeRule = ({ services }) =>
  [...DEPLOYED.map(({ name }) => name), ...SERVERS]
    .filter((name) => !services[name])
    .map((name) => `${name}: is not there`);

const pinned = ofServices(({ image = '' }) => looseness(image));

const onLoopback = ofServices(({ ports = [] }) => {
  const open = ports.filter((port) => !port.startsWith('127.0.0.1:'));
  return open.length > 0 ? `is reachable from other machines at ${open.join()}` : undefined;
});

const mounted = ofServices(({ volumes = [] }) => {
  const missing = volumes
    .map((volume) => volume.split(':')[0] ?? '')
    .filter((source) => source.startsWith('./') && !existsSync(source));
  return missing.length > 0 ? `mounts ${missing.join()}, which is not there` : undefined;
});

/** A name or a port can only be had once. */
const scalable = ofServices(({ container_name, ports }, name) =>
  name.endsWith('-worker') && (container_name !== undefined || ports) ? 'cannot be scaled' : undefined,
);

const profiled: ComposeRule = ({ services }) => {
  const found = Object.entries(services).flatMap(([name, { profiles = [] }]) =>
    profiles.map((profile) => `${profile} ${name}`),
  );
  const wanted = Object.entries(PROFILES).flatMap(([profile, names]) =>
    names.map((name) => `${profile} ${name}`),
  );
  const different = [
    ...wanted.filter((one) => !found.includes(one)),
    ...found.filter((one) => !wanted.includes(one)),
  ];
  return different.length > 0 ? [`profiles differ: ${different.join()}`] : [];
};

const builtFromItsApp = ofProcesses(({ build, image, command }, { app, main }) => {
  if (build?.target !== app || !image?.startsWith(`loci/${app}:`))
    return `is the image ${String(image)} of ${String(build?.target)}`;
  const started = command ?? imageOf(app).command;
  return started.join() === main ? undefined : `starts ${started.join(' ')}`;
});

const confined = ofProcesses(({ read_only, cap_drop, security_opt }) => {
  if (read_only !== true) return 'may write to its root file system';
  if (!cap_drop?.includes('ALL')) return 'has capabilities';
  return security_opt?.includes('no-new-privileges:true') ? undefined : 'may gain privileges';
});

const configured = ofProcesses(({ environment = {} }, { name }, settings) => {
  if (!settings) return `the settings of ${name} are not known`;
  const unknown = Object.keys(environment).filter((variable) => !settings.known.has(variable));
  if (unknown.length > 0) return `is given ${unknown.join()}, which it does not know`;
  const missing = settings.required.filter((variable) => !(variable in environment));
  return missing.length > 0 ? `lacks ${missing.join()}` : undefined;
});

const modelSecrets = ofProcesses(({ env_file = [] }, { asksModels }) => {
  const isGiven = env_file.some(({ path, required }) => path === '.env.models' && required === false);
  if (isGiven === asksModels) return undefined;
  return isGiven ? 'is given the secrets of models' : 'does not get the secrets of models';
});

const patient = ofProcesses(({ depends_on = {} }, process) => {
  const migration = migrationOf(process);
  const wanted = [
    ...process.servers.map((server) => `${server} service_healthy`),
    ...(migration ? [`${migration} service_completed_successfully`] : []),
  ];
  const found = Object.entries(depends_on).map(([name, { condition }]) => `${name} ${condition}`);
  return wanted.sort().join() === found.sort().join() ? undefined : `waits for ${found.join()}`;
});

const checked = ofProcesses(({ healthcheck }, { kind }) =>
  (healthcheck?.disable ?? false) === (kind === 'migration')
    ? undefined
    : kind === 'migration'
      ? 'is checked for health although it ends'
      : 'is not checked for health',
);

const restarted = ofProcesses(({ restart }, { kind }) =>
  restart === (kind === 'migration' ? 'no' : 'unless-stopped')
    ? undefined
    : `is restarted: ${String(restart)}`,
);

const draining = ofProcesses(({ stop_grace_period = '10s' }, { kind }) =>
  kind === 'migration' || Number.parseInt(stop_grace_period, 10) > STOP_TIMEOUT_MS / 1000
    ? undefined
    : 'is killed before it has drained',
);

/** Migrations own the database; each service logs in as itself, everywhere. */
const leastPrivileged = ofProcesses(({ environment = {} }, { kind, servers, user }) => {
  const wanted: Readonly<Record<string, string>> = {
    NATS_URL: `nats://${user}@nats:4222`,
    DATABASE_URL: `postgres://loci_${kind === 'migration' ? 'migrate' : user}@postgres:5432/loci`,
  };
  const wrong = ['NATS_URL', 'DATABASE_URL']
    .filter((_, index) => servers.includes(['nats', 'postgres'][index] ?? ''))
    .map((variable) => [variable, withoutPassword(environment[variable] ?? '')] as const)
    .filter(([variable, url]) => url !== wanted[variable]);
  return wrong.length > 0 ? `logs in as ${wrong.map(([, url]) => url).join()}` : undefined;
});

const withoutPassword = (url: string): string => url.replace(/:\$\{\w+:\?[^}]*\}@/, '@');

/** A secret is a variable that has to be set, and that `npm run compose:init` sets. */
const MADE = /\$\{(\w+):?\?run npm run compose:init\}/;

const secret = ofServices(({ environment = {} }) => {
  const fixed = Object.entries(environment)
    .filter(([name, value]) => /KEY|PASS/.test(name) || value.includes('@'))
    .filter(([, value]) => !Object.hasOwn(SECRETS, MADE.exec(value)?.[1] ?? ''))
    .map(([name]) => name);
  return fixed.length > 0 ? `has ${fixed.join()} that everybody knows` : undefined;
});

const USERS_FILE = './k8s/components/nats-users/users.conf';
const USERS = `${USERS_FILE}:/etc/nats/users.conf:ro`;

const authenticated: ComposeRule = ({ services, configs }) => [
  ...(services['nats']?.volumes?.includes(USERS) && configs['nats']?.content.includes('include ./users.conf')
    ? []
    : ['nats: lets everybody in']),
  ...(services['qdrant']?.environment?.['QDRANT__SERVICE__API_KEY'] ? [] : ['qdrant: lets everybody in']),
  ...(services['gateway']?.environment?.['AUTH'] === '${AUTH:-on}' ? [] : ['gateway: lets everybody in']),
];

/** An upgrade brings other users, which a server reads when it starts, and Compose replaces what is declared otherwise. */
const renewed: ComposeRule = ({ services }) => {
  const wanted = createHash('sha256').update(readFileSync(USERS_FILE)).digest('hex').slice(0, 16);
  return services['nats']?.labels?.['loci.users'] === wanted
    ? []
    : ['nats: is not replaced when its users change'];
};

const published: ComposeRule = ({ services }) => {
  const port = probePortOf(imageOf('gateway'));
  const found = DEPLOYED.flatMap(({ name }) =>
    (services[name]?.ports ?? []).map((mapping) => `${name} ${mapping.split(':').at(-1) ?? ''}`),
  );
  return found.join() === `gateway ${port}` ? [] : [`what is published is ${found.join() || 'nothing'}`];
};

const serversChecked: ComposeRule = ({ services }) =>
  SERVERS.filter((name) => !services[name]?.healthcheck?.test).map(
    (name) => `${name}: says not when it is healthy`,
  );

const withRoles: ComposeRule = ({ services }) => {
  const { volumes = [], environment = {} } = services['postgres'] ?? {};
  const isMade = ['10-roles.sql', '20-passwords.sh'].every((file) =>
    volumes.includes(`./k8s/components/postgres-roles/${file}:/docker-entrypoint-initdb.d/${file}:ro`),
  );
  if (!isMade) return ['postgres: is made without the roles of services'];
  return environment['POSTGRES_USER'] === 'loci' ? ['postgres: services log in as its superuser'] : [];
};

const RULES: readonly ComposeRule[] = [
  complete,
  pinned,
  onLoopback,
  mounted,
  scalable,
  profiled,
  builtFromItsApp,
  confined,
  configured,
  modelSecrets,
  patient,
  checked,
  restarted,
  draining,
  leastPrivileged,
  secret,
  authenticated,
  renewed,
  published,
  serversChecked,
  withRoles,
];

/** What of docker-compose.yml does not agree with the code, in sentences; none when all is right. */
export const brokenComposeRules = (compose: Compose, settings: ReadonlyMap<string, Settings>): string[] =>
  RULES.flatMap((rule) => rule(compose, settings));
