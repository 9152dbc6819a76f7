import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Conversation, type Turn } from './retrieval/dataset.js';
import { MemoryClient } from './retrieval/memory-client.js';
import { askedByAnother } from './retrieval/asked-by-another.js';
import { FILLERS, PAIRS, type StatementPair } from './retrieval/newer.js';
import { TUNING_PAIRS } from './retrieval/newer-tuning.js';
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

/** A project of its own: the pairs, and eighty other messages. */
function conversationOf(id: string, pairs: readonly StatementPair[]): Conversation {
  const statements = pairs.flatMap(({ older, newer }, index) => {
    const day = (index * 37) % 100;
    const later = day + 21 + ((index * 53) % 160) + 0.125;
    return [saidOn(`older ${index}`, day, older), saidOn(`newer ${index}`, later, newer)];
  });
  const fillers = Array.from({ length: 80 }, (_, index) =>
    saidOn(`filler ${index}`, index * 3.3, `${FILLERS[index % FILLERS.length] ?? ''} (${index})`),
  );
  const turns = [...statements, ...fillers].sort((a, b) => Date.parse(a.saidAt) - Date.parse(b.saidAt));
  return { id, turns, questions: [] };
}

const SETS = [
  { name: 'pairs that were not looked at', id: 'newer', pairs: PAIRS },
  { name: 'pairs of the choice', id: 'newer-tuning', pairs: TUNING_PAIRS },
];

const ASKERS = [
  { asker: 'by herself', worded: (question: string): string => question },
  { asker: 'by another', worded: askedByAnother },
];

const dataDir = await mkdtemp(join(tmpdir(), 'loci-bench-'));
const product = await openProduct(undefined, {}, dataDir);
try {
  const client = new MemoryClient(product.url);
  for (const { name, id, pairs } of SETS) {
    const conversation = conversationOf(id, pairs);
    await client.open(conversation);
    const turnOf = await client.store(conversation, () => undefined);
    await product.settle();

    /** Where two turns are among the hits, from 0. */
    const ranksOf = async (query: string, turns: readonly [string, string]): Promise<[number, number]> => {
      const question = { text: query, category: '', gold: [], askedAt: ASKED_AT };
      const { uids } = await client.ask(conversation.id, question, { topK: HITS });
      const found = uids.map((uid) => turnOf.get(uid));
      return [found.indexOf(turns[0]), found.indexOf(turns[1])];
    };

    for (const { asker, worded } of ASKERS) {
      const right = { now: 0, past: 0 };
      const reciprocal = { now: 0, past: 0 };
      for (const [index, pair] of pairs.entries()) {
        for (const time of ['now', 'past'] as const) {
          const query = worded(pair[time]);
          const [newer, older] = [`newer ${index}`, `older ${index}`];
          const [one, other] = await ranksOf(query, time === 'now' ? [newer, older] : [older, newer]);
          const isFirst = one !== -1 && (other === -1 || one < other);
          if (isFirst) right[time] += 1;
          else process.stdout.write(`wrong: ${query}\n`);
          reciprocal[time] += one === -1 ? 0 : 1 / (one + 1);
        }
      }
      const mrr = (sum: number): string => (sum / pairs.length).toFixed(3);
      process.stdout.write(
        `${name}, asked ${asker}: how it is, the newer first in ${right.now} of ${pairs.length}, ` +
          `MRR ${mrr(reciprocal.now)}; how it was, the older first in ${right.past}, MRR ${mrr(reciprocal.past)}\n`,
      );
    }
  }
} finally {
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
}
