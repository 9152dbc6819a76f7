import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Conversation } from './retrieval/dataset.js';
import { readLocomo } from './retrieval/locomo.js';
import { readLongMemEval } from './retrieval/longmemeval.js';
import { askAll, countTurns, type Stored, storeAll } from './retrieval/measure.js';
import { type Options, readOptions } from './retrieval/options.js';
import { DEFINITIONS } from './retrieval/metrics.js';
import { plotOf } from './retrieval/plot.js';
import { openProduct } from './retrieval/product.js';
import { averagesOf, type Outcome, reportOf } from './retrieval/report.js';

/** `npm run bench:retrieval`: how well searches over HTTP find the turns that answer questions about conversations. */
const READERS = { locomo: readLocomo, longmemeval: readLongMemEval };

async function read({ dataset, split, data }: Options): Promise<Conversation[]> {
  const path = join(data, `${dataset}-${split}.json`);
  return READERS[dataset](JSON.parse(await readFile(path, 'utf8')));
}

async function measure(options: Options, conversations: readonly Conversation[]): Promise<Outcome[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'loci-bench-'));
  const outcomes: Outcome[] = [];
  let stored: Stored | undefined;
  try {
    for (const configuration of options.configurations) {
      const product = await openProduct(options.running, configuration.env, dataDir);
      try {
        const begunMs = performance.now();
        stored ??= await storeAll(product, conversations);
        await product.settle();
        const indexedInMs = performance.now() - begunMs;
        const answers = await askAll(product, conversations, stored, configuration);
        const outcome = { configuration: configuration.name, answers, indexedInMs };
        outcomes.push(outcome);
        process.stdout.write(`\n${reportOf(outcome, countTurns(conversations))}\n`);
      } finally {
        await product.stop();
      }
    }
    return outcomes;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function write({ dataset, split, output }: Options, outcomes: readonly Outcome[]): Promise<void> {
  const name = join(output, `${dataset}-${split}`);
  const results = outcomes.map((outcome) => ({ ...outcome, averages: averagesOf(outcome) }));
  await mkdir(output, { recursive: true });
  await writeFile(`${name}.json`, JSON.stringify({ dataset, split, results }, undefined, 2));
  await writeFile(`${name}.svg`, plotOf(`${dataset}, ${split}: recall`, outcomes));
  process.stdout.write(`Results: ${name}.json, ${name}.svg\n`);
}

const options = readOptions(process.argv.slice(2), process.env);
const conversations = await read(options);
process.stdout.write(`${DEFINITIONS.map((definition) => `- ${definition}`).join('\n')}\n`);
const outcomes = await measure(options, conversations);
await write(options, outcomes);
