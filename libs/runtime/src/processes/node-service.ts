import { prefixed } from './command.js';
import { answersOk } from './http-ready.js';
import { hanging, type HangLimits, httpQuestion } from './silence.js';
import { type ProcessSpec } from './process-spec.js';
import { nicePrefix } from './system-tools.js';

export interface NodeServiceOptions {
  readonly name: string;
  /** Absolute path of its main module. */
  readonly main: string;
  /** Added to our own environment, which may have the variables that its configuration refers to. */
  readonly env: Readonly<Record<string, string>>;
  readonly ports: Readonly<Record<string, number>>;
  /** Answers 200 to GET when it is ready. */
  readonly readyUrl: string;
  /** Answers whenever the process does, whatever it waits for. By default `readyUrl`. */
  readonly liveUrl?: string;
  /** 1 to 19: how much it yields to other processes. */
  readonly niceness?: number | undefined;
  readonly stopTimeoutMs?: number;
  readonly readyTimeoutMs?: number;
  /** When it is taken for one that hangs. */
  readonly hangLimits?: HangLimits;
}

const READY_TIMEOUT_MS = 60_000;
/** On a busy machine, who yields to others waits for them. */
const YIELDING_READY_TIMEOUT_MS = 300_000;

/** `EXIT_SETTINGS` of our processes. */
const REFUSAL_CODE = 78;

/**
 * A service that runs on the same Node.js as we do. It is stopped with SIGTERM; when we die without that, it sees its
 * IPC channel close, and on Linux it is killed outright, since the servers that it could finish its work on go too.
 */
export async function nodeService(options: NodeServiceOptions): Promise<ProcessSpec> {
  const { name, main, env, ports, readyUrl, liveUrl = readyUrl, niceness = 0 } = options;
  const priority = niceness > 0 ? await nicePrefix(niceness) : [];
  return {
    name,
    command: prefixed(priority, [process.execPath, main]),
    cwd: process.cwd(),
    env: { ...process.env, ...env },
    ports,
    ipc: true,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: options.stopTimeoutMs ?? 5_000,
    readyTimeoutMs: options.readyTimeoutMs ?? (niceness > 0 ? YIELDING_READY_TIMEOUT_MS : READY_TIMEOUT_MS),
    deathSignal: 'SIGKILL',
    refusalCode: REFUSAL_CODE,
    retryStart: { forMs: 0, when: () => false },
    isReady: () => answersOk(readyUrl),
    stuck: hanging(httpQuestion(liveUrl), options.hangLimits),
  };
}
