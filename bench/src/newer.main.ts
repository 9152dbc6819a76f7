import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Conversation, type Turn } from './retrieval/dataset.js';
import { MemoryClient } from './retrieval/memory-client.js';
import { FILLERS, PAIRS } from './retrieval/newer.js';
import { openProduct } from './retrieval/product.js';

/**
 * `npm run bench:newer`: of two statements about the same thing, three weeks to half a year apart, how often the newer comes
 * before the older when the question is how it is, and the older before the newer when the question is how it was.
 */
const DAY_MS = 86_400_000;
const BEGIN_MS = Date.parse('2024-01-03T09:00:00Z');
const ASKED_AT = '2024-10-15T12:00:00Z';
const HITS = 60;

const saidOn = (id: string, day: number, text: string): Turn => ({
  id,
  speaker: 'maria',
  text,
  saidAt: new Date(BEGIN_MS + day * DAY_MS).toISOString(),
});

const statements = PAIRS.flatMap(({ older, newer }, index) => {
  const day = (index * 37) % 100;
  const later = day + 21 + ((index * 53) % 160) + 0.125;
  return [saidOn(`older ${index}`, day, older), saidOn(`newer ${index}`, later, newer)];
});
const fillers = Array.from({ length: 80 }, (_, index) =>
  saidOn(`filler ${index}`, index * 3.3, `${FILLERS[index % FILLERS.length] ?? ''} (${index})`),
);
const conversation: Conversation = {
  id: 'newer',
  turns: [...statements, ...fillers].sort((a, b) => Date.parse(a.saidAt) - Date.parse(b.saidAt)),
  questions: [],
};

const dataDir = await mkdtemp(join(tmpdir(), 'loci-bench-'));
const product = await openProduct(undefined, {}, dataDir);
try {
  const client = new MemoryClient(product.url);
  await client.open(conversation);
  const turnOf = await client.store(conversation, () => undefined);
  await product.settle();

  /** Whether one turn is found, and before another one. */
  const isBefore = async (query: string, first: string, second: string): Promise<boolean> => {
    const question = { text: query, category: '', gold: [], askedAt: ASKED_AT };
    const { uids } = await client.ask(conversation.id, question, { topK: HITS });
    const found = uids.map((uid) => turnOf.get(uid));
    const [one, other] = [found.indexOf(first), found.indexOf(second)];
    if (one === -1 || (other !== -1 && other < one)) process.stdout.write(`wrong: ${query}\n`);
    return one !== -1 && (other === -1 || one < other);
  };

  const right = { now: 0, past: 0 };
  for (const [index, { now, past }] of PAIRS.entries()) {
    if (await isBefore(now, `newer ${index}`, `older ${index}`)) right.now += 1;
    if (await isBefore(past, `older ${index}`, `newer ${index}`)) right.past += 1;
  }
  process.stdout.write(`how it is: the newer first in ${right.now} of ${PAIRS.length}\n`);
  process.stdout.write(`how it was: the older first in ${right.past} of ${PAIRS.length}\n`);
} finally {
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
}
