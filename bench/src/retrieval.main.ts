import 'reflect-metadata';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAssistant } from './retrieval/assistant.js';
import { type Conversation, countTurns } from './retrieval/dataset.js';
import { laidOut } from './retrieval/layout.js';
import { readLocomo } from './retrieval/locomo.js';
import { readLongMemEval } from './retrieval/longmemeval.js';
import { type Indexed, index } from './retrieval/indexing.js';
import { askAll } from './retrieval/measure.js';
import { type Options, readOptions } from './retrieval/options.js';
import { DEFINITIONS } from './retrieval/metrics.js';
import { plotOf } from './retrieval/plot.js';
import { openProduct } from './retrieval/product.js';
import { averagesOf, comparisonOf, costOf, type Outcome, reportOf } from './retrieval/report.js';

/** `npm run bench:retrieval`: how well searches over HTTP find the turns that answer questions about conversations. */
const READERS = {
  locomo: async (file: string) => readLocomo(JSON.parse(await readFile(file, 'utf8'))),
  longmemeval: async (file: string) => readLongMemEval(JSON.parse(await readFile(file, 'utf8'))),
  assistant: readAssistant,
};

const read = async ({ dataset, file, layout }: Options): Promise<readonly Conversation[]> =>
  laidOut(await READERS[dataset](file), layout);

async function measure(options: Options, conversations: readonly Conversation[]): Promise<Outcome[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'loci-bench-'));
  const outcomes: Outcome[] = [];
  let indexed: Indexed | undefined;
  try {
    for (const configuration of options.configurations) {
      const product = await openProduct(options.running, configuration.env, dataDir);
      try {
        const isAnew = indexed?.embedder !== configuration.embedder;
        indexed = await index(product, conversations, configuration.embedder, indexed);
        const asked = await askAll(product, conversations, indexed.stored, configuration);
        const indexing = isAnew ? indexed.spent : undefined;
        const outcome = {
          configuration: configuration.name,
          turns: countTurns(conversations),
          indexing,
          ...asked,
        };
        outcomes.push(outcome);
        process.stdout.write(`\n${reportOf(outcome)}\n`);
      } finally {
        await product.stop();
      }
    }
    return outcomes;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function write(
  { dataset, split, layout, output }: Options,
  outcomes: readonly Outcome[],
): Promise<void> {
  const name = join(output, `${dataset}-${split}${layout === 'alone' ? '' : `-${layout}`}`);
  const results = outcomes.map((outcome) => ({
    ...outcome,
    averages: averagesOf(outcome),
    cost: costOf(outcome),
  }));
  await mkdir(output, { recursive: true });
  await writeFile(`${name}.json`, JSON.stringify({ dataset, split, results }, undefined, 2));
  await writeFile(`${name}.svg`, plotOf(`${dataset}, ${split}: recall`, outcomes));
  process.stdout.write(`Results: ${name}.json, ${name}.svg\n`);
}

const options = readOptions(process.argv.slice(2), process.env);
const conversations = await read(options);
process.stdout.write(`${DEFINITIONS.map((definition) => `- ${definition}`).join('\n')}\n`);
const outcomes = await measure(options, conversations);
process.stdout.write(`\n${comparisonOf(outcomes)}\n`);
await write(options, outcomes);
