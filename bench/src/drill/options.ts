import { parseArgs } from 'node:util';

export interface DrillOptions {
  /** Ingestion workers, each a process. */
  readonly workers: number;
  /** How long agents write. */
  readonly seconds: number;
  /** Processes that are killed while they do. */
  readonly kills: number;
  readonly agents: number;
  readonly projects: number;
  /** Of an agent between two messages. */
  readonly pauseMs: number;
  /** What the language model takes for a call. */
  readonly latencyMs: number;
  /** Between two lines of the table. */
  readonly intervalMs: number;
}

const FULL: DrillOptions = {
  workers: 4,
  seconds: 60,
  kills: 9,
  agents: 8,
  projects: 16,
  pauseMs: 50,
  latencyMs: 200,
  intervalMs: 1_000,
};
const SHORT: DrillOptions = {
  ...FULL,
  workers: 2,
  seconds: 6,
  kills: 2,
  agents: 4,
  projects: 4,
  pauseMs: 200,
};
const MAX_WORKERS = 8;

export const USAGE = `npm run drill:scale [-- options]

Starts PostgreSQL, NATS and Qdrant, two of every process of Loci and some ingestion workers, lets agents write, kills
processes without warning, and checks in the end that every acknowledged message is there once and was ingested once.
Exit code: 0 = so it is, 1 = it is not, 2 = the drill could not be done.

  --workers <1-8>    ingestion workers (${FULL.workers})
  --seconds <n>      how long agents write (${FULL.seconds})
  --kills <n>        processes that are killed meanwhile, another one each time (${FULL.kills})
  --agents <n>       that write at the same time (${FULL.agents})
  --projects <n>     that they write to (${FULL.projects})
  --pause <ms>       of an agent between two messages (${FULL.pauseMs})
  --latency <ms>     of a call of the language model, a stand-in (${FULL.latencyMs})
  --short            a small run: ${SHORT.workers} workers, ${SHORT.seconds} s, ${SHORT.kills} kills, ${SHORT.agents} agents, ${SHORT.projects} projects
  --help`;

/**
 * @returns undefined when help is asked for
 * @throws Error with the usage when an option is unknown or out of range
 */
export function readOptions(args: readonly string[]): DrillOptions | undefined {
  const { values } = parsed(args);
  if (values.help) return undefined;
  const base = values.short ? SHORT : FULL;
  return {
    ...base,
    workers: numberOf('workers', values.workers, base.workers, { min: 1, max: MAX_WORKERS }),
    seconds: numberOf('seconds', values.seconds, base.seconds, { min: 1 }),
    kills: numberOf('kills', values.kills, base.kills, { min: 0 }),
    agents: numberOf('agents', values.agents, base.agents, { min: 1 }),
    projects: numberOf('projects', values.projects, base.projects, { min: 1 }),
    pauseMs: numberOf('pause', values.pause, base.pauseMs, { min: 0 }),
    latencyMs: numberOf('latency', values.latency, base.latencyMs, { min: 0 }),
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        workers: { type: 'string' },
        seconds: { type: 'string' },
        kills: { type: 'string' },
        agents: { type: 'string' },
        projects: { type: 'string' },
        pause: { type: 'string' },
        latency: { type: 'string' },
        short: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`, {
      cause: error,
    });
  }
}

function numberOf(
  name: string,
  text: string | undefined,
  byDefault: number,
  { min, max = 100_000 }: { readonly min: number; readonly max?: number },
): number {
  if (text === undefined) return byDefault;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new Error(`--${name} must be a whole number from ${min} to ${max}, not "${text}".\n\n${USAGE}`);
}
