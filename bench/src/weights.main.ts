import 'reflect-metadata';
import { access, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LOCAL_MODELS, LocalEmbedder, type LocalModelName } from '@loci/models';
import { SEARCH_WEIGHTS } from '@loci/retrieval';
import { ASSISTANT, readAssistant } from './retrieval/assistant.js';
import { readBeam } from './retrieval/beam.js';
import { type Conversation } from './retrieval/dataset.js';
import { ADVERSARIAL, readLocomo } from './retrieval/locomo.js';
import { readLongMemEval } from './retrieval/longmemeval.js';
import { average, type Quality } from './retrieval/metrics.js';
import { choose, leaveOneOut } from './retrieval/replay/choice.js';
import { ReplayedSet } from './retrieval/replay/replayed-set.js';
import { measureThresholds } from './retrieval/replay/thresholds.js';
import { KeptVectors } from './retrieval/replay/vectors.js';

/**
 * `npm run bench:weights`: how well the formulas of a search find, on every set of conversations at hand, and with `--choose`
 * which weights would do best. Nothing runs but the embedder: vectors are kept, searches are computed from them.
 */
const USAGE = `npm run bench:weights -- [--data <folder>] [--embedder all-minilm-l6-v2|gte-small] [--choose] [--thresholds] [--cache <folder>]

  --data <folder>   may contain locomo-dev.json, longmemeval-dev.json, beam-dev.json; default: the environment's BENCH_DATA
  --choose          chooses weights on all sets together, and leaves one conversation out at a time
  --thresholds      what a score_threshold is worth, by the first hits of the questions of locomo-dev.json alone
  --cache <folder>  where vectors are kept; default bench/results`;

const READERS = { locomo: readLocomo, longmemeval: readLongMemEval, beam: readBeam };

async function conversationsIn(folder: string | undefined): Promise<Map<string, readonly Conversation[]>> {
  const found = new Map<string, readonly Conversation[]>([['assistant', await readAssistant(ASSISTANT)]]);
  for (const [name, read] of Object.entries(READERS)) {
    const file = folder && join(folder, `${name}-dev.json`);
    if (!file || !(await exists(file))) continue;
    found.set(name, read(JSON.parse(await readFile(file, 'utf8'))));
  }
  return found;
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;

const percent = (value = 0): string => (100 * value).toFixed(1);

/** @param topK hits of each search: of a cut behind them nothing is known */
const qualityRow = (set: string, how: string, { recall, mrr, ndcg10 }: Quality, topK: number): string =>
  row([
    set,
    how,
    ...[5, 10, 20, 50].map((cut) => (cut <= topK ? percent(recall[cut]) : '')),
    percent(mrr),
    percent(ndcg10),
  ]);

const LEG_HITS = 200;

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    embedder: { type: 'string', default: 'all-minilm-l6-v2' },
    choose: { type: 'boolean', default: false },
    thresholds: { type: 'boolean', default: false },
    cache: { type: 'string', default: 'bench/results' },
  },
});
if (!(values.embedder in LOCAL_MODELS)) throw new Error(USAGE);
const dataFolder = values.data ?? process.env['BENCH_DATA'];
const model = LOCAL_MODELS[values.embedder as LocalModelName]();
const embedder = await LocalEmbedder.start({ model });

async function showQuality(vectors: KeptVectors): Promise<void> {
  const sets: ReplayedSet[] = [];
  for (const [name, conversations] of await conversationsIn(dataFolder)) {
    sets.push(await ReplayedSet.open(name, conversations, { embedder, vectors }));
    await vectors.save();
  }
  const { stdout } = process;
  const header = ['set', 'ranked by', 'R@5', 'R@10', 'R@20', 'R@50', 'MRR', 'NDCG@10'];
  stdout.write(row(header) + row(header.map(() => '---')));
  for (const set of sets) {
    stdout.write(qualityRow(set.name, 'meaning alone', set.measureLeg('dense'), LEG_HITS));
    stdout.write(qualityRow(set.name, 'words alone', set.measureLeg('sparse'), LEG_HITS));
    for (const topK of [10, 50]) {
      const quality = average(set.measure(SEARCH_WEIGHTS, topK).flat());
      stdout.write(qualityRow(set.name, `as delivered, ${topK} hits`, quality, topK));
    }
  }
  if (values.choose) {
    const chosen = choose(sets, SEARCH_WEIGHTS);
    for (const set of sets) {
      stdout.write(qualityRow(set.name, 'chosen', average(set.measure(chosen).flat()), 10));
      stdout.write(qualityRow(set.name, 'chosen without it', leaveOneOut(sets, set, SEARCH_WEIGHTS), 10));
    }
    stdout.write(`\n${JSON.stringify(chosen, undefined, 2)}\n`);
  }
}

async function showThresholds(vectors: KeptVectors): Promise<void> {
  if (!dataFolder) throw new Error(USAGE);
  const json: unknown = JSON.parse(await readFile(join(dataFolder, 'locomo-dev.json'), 'utf8'));
  const header = [
    'threshold',
    'recall',
    'precision',
    'refused of another conversation',
    'refused of category 5',
  ];
  process.stdout.write(row(header) + row(header.map(() => '---')));
  const asked = { embedder, vectors };
  for (const found of await measureThresholds(readLocomo(json), readLocomo(json, ADVERSARIAL), asked)) {
    const { recall, precision, refusedElsewhere, refusedAdversarial } = found;
    const shares = [recall, precision, refusedElsewhere, refusedAdversarial].map(percent);
    process.stdout.write(row([found.threshold.toFixed(1), ...shares]));
  }
  await vectors.save();
}

try {
  await mkdir(values.cache, { recursive: true });
  const vectors = await KeptVectors.open(embedder, join(values.cache, `${model.fingerprint}.vectors`));
  if (values.thresholds) await showThresholds(vectors);
  else await showQuality(vectors);
} finally {
  await embedder.close();
}
