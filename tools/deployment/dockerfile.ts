import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEPLOYED, type Settings } from './processes.js';

/** What the Dockerfile says of one target, with what it has from the stages below it. */
export interface Image {
  /** Where it begins, outside of this file. */
  readonly base: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly user: string;
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
  /** Of `org.opencontainers.image`, by what comes behind that. */
  readonly labels: Readonly<Record<string, string>>;
}

export const DOCKERFILE = readFileSync('Dockerfile', 'utf8');

/** @throws Error when there is no such target */
export function imageOf(target: string, dockerfile = DOCKERFILE): Image {
  const stage = new RegExp(`^FROM (?<base>\\S+) AS ${target}\\n(?<body>(?:(?!FROM ).*\\n)*)`, 'm').exec(
    dockerfile,
  )?.groups;
  if (!stage) throw new Error(`The Dockerfile has no target ${target}.`);
  const { base = '', body = '' } = stage;
  const below = isStage(base, dockerfile) ? imageOf(base, dockerfile) : start(base);
  return {
    base: below.base,
    environment: { ...below.environment, ...environmentIn(body) },
    user: /^USER (.*)$/m.exec(body)?.[1] ?? below.user,
    command: arrayOf(/^CMD (\[.*\])$/m.exec(body)?.[1]) ?? below.command,
    labels: { ...below.labels, ...labelsIn(body) },
    healthCheck: arrayOf(/^HEALTHCHECK .*CMD (\[.*\])$/m.exec(body)?.[1]) ?? below.healthCheck,
  };
}

const isStage = (name: string, dockerfile: string): boolean =>
  new RegExp(`^FROM \\S+ AS ${name.replace(/[^\w-]/g, '\\$&')}$`, 'm').test(dockerfile);

const start = (base: string): Image => ({
  base,
  environment: {},
  user: 'root',
  command: [],
  healthCheck: [],
  labels: {},
});

const environmentIn = (body: string): Record<string, string> =>
  Object.fromEntries(
    [...body.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) =>
      line.split(' ').map((pair) => pair.split('=', 2) as [string, string]),
    ),
  );

const labelsIn = (body: string): Record<string, string> =>
  Object.fromEntries(
    [...body.matchAll(/^LABEL org\.opencontainers\.image\.(\w+)=(.*)$/gm)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );

const arrayOf = (json: string | undefined): string[] | undefined =>
  json === undefined ? undefined : (JSON.parse(json) as string[]);

/** Where the image of a process answers its probes. */
export const probePortOf = ({ environment }: Image): number =>
  Number(environment['PROBE_PORT'] ?? environment['PORT']);

/** The lines of Node that have long-term support: https://nodejs.org/en/about/previous-releases */
const LTS = /^node:(22|24)\.\d+\.\d+-[a-z]+-slim@sha256:[0-9a-f]{64}$/;

/** What an image says of itself (https://github.com/opencontainers/image-spec/blob/main/annotations.md). */
const LABELS = ['licenses', 'version', 'revision'];

/** What of the Dockerfile is not as it has to be, in sentences; none when all is right. */
export function brokenImages(settings: ReadonlyMap<string, Settings>, dockerfile = DOCKERFILE): string[] {
  const apps = [...new Set(DEPLOYED.map(({ app }) => app))];
  return apps.flatMap((app) => problemsOf(app, settings, dockerfile).map((problem) => `${app}: ${problem}`));
}

function problemsOf(app: string, settings: ReadonlyMap<string, Settings>, dockerfile: string): string[] {
  const image = imageOf(app, dockerfile);
  const { base, environment, user, command, healthCheck, labels } = image;
  const processes = DEPLOYED.filter((process) => process.app === app);
  const unknown = Object.keys(environment).filter(
    (name) =>
      name !== 'NODE_ENV' && !processes.some((process) => settings.get(process.name)?.known.has(name)),
  );
  return [
    ...(LTS.test(base)
      ? []
      : [`stands on ${base}, which is no slim Node with long-term support by its digest`]),
    ...(/^[1-9]\d*:[1-9]\d*$/.test(user) ? [] : [`runs as ${user}`]),
    ...(environment['NODE_ENV'] === 'production' ? [] : ['is not for production']),
    ...(labels['title'] === `loci/${app}` ? [] : [`is labelled ${String(labels['title'])}`]),
    ...LABELS.filter((name) => !labels[name]).map((name) => `has no label ${name}`),
    ...unknown.map((name) => `sets ${name}, which it does not know`),
    ...(probePortOf(image) > 0 ? [] : ['listens nowhere']),
    ...(processes.some(({ main }) => main === command.join()) ? [] : [`starts ${command.join(' ')}`]),
    ...(existsSync(join('tools/image', healthCheck[1] ?? '')) && healthCheck[0] === 'node'
      ? []
      : ['has no health check']),
    ...(new RegExp(`AS ${app}\\n(?:(?!FROM ).*\\n)*COPY --from=${app}-tree /tree /app\\n`).test(dockerfile)
      ? []
      : ['does not contain its tree']),
  ];
}
