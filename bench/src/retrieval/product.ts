import { eventually, Loci } from '@loci/testing';
import { processorMs } from '../processor-time.js';
import { type Options } from './options.js';

/** The product under measurement. */
export interface Product {
  readonly url: string;
  /** Waits until every episode has its vector. */
  readonly settle: () => Promise<void>;
  /** What all its processes took so far, PostgreSQL, NATS and Qdrant included; undefined when they are not ours. */
  readonly processorMs: () => Promise<number | undefined>;
  readonly stop: () => Promise<void>;
}

/**
 * Starts the product, or takes the running one.
 * @param dataDir its data: what an earlier configuration stored is there for the next
 */
export async function openProduct(
  running: Options['running'],
  env: Readonly<Record<string, string>>,
  dataDir: string,
): Promise<Product> {
  if (running) {
    const { url, metricsUrl } = running;
    const processor = (): Promise<undefined> => Promise.resolve(undefined);
    return {
      url,
      settle: () => settle(() => metricsUrl),
      processorMs: processor,
      stop: () => Promise.resolve(),
    };
  }
  const loci = await Loci.start({ env, dataDir, sweeps: 'as delivered' });
  const metricsUrl = async (): Promise<string> => {
    const { ports } = await loci.process('episodic-worker');
    return `http://127.0.0.1:${String(Object.values(ports)[0])}/metrics`;
  };
  return {
    url: loci.url,
    settle: () => settle(metricsUrl),
    processorMs: () => processorMs(loci.pid),
    stop: () => loci.stop(),
  };
}

/** Twice in a row, because the worker notices an index that has to be made again a moment after its start. */
async function settle(metricsUrl: () => string | Promise<string>): Promise<void> {
  let settledRounds = 0;
  const isSettled = async (): Promise<boolean> => {
    const metrics = await (await fetch(await metricsUrl())).text();
    settledRounds = /^loci_episodes_waiting(\{.*\})? 0$/m.test(metrics) ? settledRounds + 1 : 0;
    return settledRounds >= SETTLED_ROUNDS;
  };
  await eventually(isSettled, { what: 'all episodes have their vectors', timeoutMs: 3_600_000 });
}

const SETTLED_ROUNDS = 30;
