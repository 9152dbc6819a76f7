import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Loci } from '@loci/testing';
import { quantile } from '../retrieval/metrics.js';
import { atATime } from '../scale/timed-requests.js';
import { type Drill } from './drill.js';

const KEYS = 1_000;
const AT_ONCE = 100;
const CREATED_AT_ONCE = 16;

/** A gateway that was just started is asked by a thousand keys that it does not know yet, a hundred at a time. */
export const coldKeysDrill: Drill = async (say) => {
  const loci = await Loci.start({
    env: { AUTH: 'on', KEYS_PER_ORGANIZATION: '5000' },
    sweeps: 'as delivered',
  });
  try {
    const admin = (await readFile(join(loci.dataDir, 'admin-key'), 'utf8')).trim();
    const secrets: string[] = [];
    await atATime(CREATED_AT_ONCE, KEYS, async (n) => {
      const wanted = { org_id: `org-${n % 100}`, project_id: null, name: `key ${n}`, scopes: ['read'] };
      const answer = await ask(loci.url, '/keys', admin, wanted);
      const { secret } = (await answer.json()) as { secret?: string };
      if (secret === undefined) throw new Error(`A key was answered ${answer.status}.`);
      secrets.push(secret);
    });
    await loci.kill('gateway');
    const cold = await askWithAll(loci.url, secrets);
    say(`cold: ${cold.line}`);
    const warm = await askWithAll(loci.url, secrets);
    say(`warm: ${warm.line}`);
    return cold.refused > 0 ? [`${cold.refused} of ${KEYS} valid keys were refused`] : [];
  } finally {
    await loci.destroy();
  }
};

const ask = (url: string, path: string, key: string, body: object): Promise<Response> =>
  fetch(`${url}/api/v2${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });

async function askWithAll(
  url: string,
  secrets: readonly string[],
): Promise<{ line: string; refused: number }> {
  const tookMs: number[] = [];
  const answers = new Map<number, number>();
  const begunMs = performance.now();
  await atATime(AT_ONCE, secrets.length, async (n) => {
    const askedMs = performance.now();
    const answer = await ask(url, '/projects/list', secrets[n] ?? '', {});
    await answer.text();
    tookMs.push(performance.now() - askedMs);
    answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1);
  });
  const seconds = ((performance.now() - begunMs) / 1_000).toFixed(1);
  const statuses = [...answers].map(([status, count]) => `${count} × ${status}`).join(', ');
  const line = `${secrets.length} keys in ${seconds} s, p50 ${quantile(tookMs, 0.5).toFixed(0)} ms, p99 ${quantile(tookMs, 0.99).toFixed(0)} ms, answers: ${statuses}`;
  return { line, refused: secrets.length - (answers.get(200) ?? 0) };
}
