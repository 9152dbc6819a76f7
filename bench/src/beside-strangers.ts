import { BareRefuser, Loci, STRANGER_KINDS, type StrangerKind, Strangers } from '@loci/testing';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Flood } from './floods.js';
import { fillProject } from './searched-project.js';
import { inMs, quantile, send, timesOf, type Times } from './small-searches.js';

const CLIENTS = 100;

/** Where the clients come from, beside the searches, which come from the first. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  'the address of the searches': ['127.0.0.1'],
  'another address': ['127.0.0.3'],
  '20 addresses': Array.from({ length: 20 }, (_, index) => `127.0.1.${index + 1}`),
};

export interface BesideStrangersOptions {
  /** The search, and the project that it searches. */
  readonly small: Flood;
  readonly project: object;
  readonly seconds: number;
  readonly episodes: number;
  readonly say: (text: string) => void;
}

/**
 * Searches with a key while clients without a valid one flood the gateway, and while the same clients flood a bare HTTP
 * server that answers 401 at once: the ratio is what refusing costs others, without what the clients take of the processors.
 */
export async function besideStrangers({
  small,
  project,
  seconds,
  episodes,
  say,
}: BesideStrangersOptions): Promise<void> {
  const loci = await Loci.start({ sweeps: 'as delivered', env: { WORKER_NICENESS: '0', AUTH: 'on' } });
  const bare = await BareRefuser.start();
  const key = (await readFile(join(loci.dataDir, 'admin-key'), 'utf8')).trim();
  const headers = { authorization: `Bearer ${key}` };
  const measure = (): Promise<Times> =>
    timesOf((agent) => send(loci.url, small, agent, '127.0.0.1', headers), seconds);
  try {
    await fillProject(loci, project, episodes, { headers });
    say(`with a key, alone: ${inMs((await measure()).times)}`);
    for (const kind of STRANGER_KINDS) {
      for (const [from, addresses] of Object.entries(ADDRESSES)) {
        const flood = { kind, addresses };
        const [besideBare, besideLoci] = [
          await beside(bare.url, flood, measure),
          await beside(loci.url, flood, measure),
        ];
        const ratio = quantile(besideLoci.times, 0.5) / quantile(besideBare.times, 0.5);
        say(
          `unknown keys (${kind}) from ${from}, p50 beside Loci / beside a bare server: ${ratio.toFixed(2)}`,
        );
        for (const [name, result] of [
          ['bare', besideBare],
          ['Loci', besideLoci],
        ] as const) {
          say(
            `  ${name}: ${inMs(result.times)}, ${result.refused.length} refused; the flood: ${result.answered}`,
          );
        }
      }
    }
    say(`with a key, alone: ${inMs((await measure()).times)}`);
  } finally {
    await bare.stop();
    await loci.destroy();
  }
}

async function beside(
  url: string,
  flood: { readonly kind: StrangerKind; readonly addresses: readonly string[] },
  measure: () => Promise<Times>,
): Promise<Times & { readonly answered: string }> {
  const strangers = await Strangers.flood(url, { ...flood, clients: CLIENTS });
  const times = await measure();
  const { statuses } = await strangers.stop();
  const answered = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  return { ...times, answered: answered.join(', ') };
}
