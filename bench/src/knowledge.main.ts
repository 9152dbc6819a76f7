import 'reflect-metadata';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readDialogues } from './knowledge/dialogue.js';
import { Api, learn } from './knowledge/learn.js';
import { differenceOf, type KnowledgeResults, reportOf } from './knowledge/report.js';
import { REPLAY, startReplay } from './knowledge/replay.js';
import { scoreDialogue, type ScoredDialogue } from './knowledge/score.js';
import { openProduct } from './retrieval/product.js';

/**
 * `npm run bench:knowledge`: what a model makes of thirty dialogues, compared with gold labels, over HTTP.
 * Without options the recorded replies are replayed: that tests the product, and says nothing about any model.
 *
 *   --provider <name> --config <file>   asks this provider instead; the file is its `config` as JSON, as in its registration
 *   --only <id>                         one dialogue
 *   --out <file>                        keeps the results as JSON
 *   --baseline <file>                   prints what differs from results that were kept
 */
const { values } = parseArgs({
  options: {
    provider: { type: 'string' },
    config: { type: 'string' },
    only: { type: 'string' },
    out: { type: 'string' },
    baseline: { type: 'string' },
  },
});

const PROMPTS = 'apps/semantic-service/src/ingestion/prompts';

/** Dialogues that are learned from at a time. */
const AT_ONCE = 4;

/** That of the newest text in the repository. */
const promptVersion = (): number =>
  Math.max(
    ...readdirSync(PROMPTS).map((name) =>
      Number(/^extraction\.v(?<version>\d+)\.txt$/.exec(name)?.groups?.['version'] ?? 0),
    ),
  );

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const dialogues = readDialogues().filter(({ id }) => values.only === undefined || id === values.only);
const replay = values.provider === undefined ? await startReplay(dialogues) : undefined;
const model = replay
  ? {
      provider: 'openai-chat-completions',
      config: { base_url: replay.models.openAiUrl, api_key: 'any', model: REPLAY },
    }
  : { provider: values.provider, config: JSON.parse(await readFile(values.config ?? '', 'utf8')) as unknown };
const dataDir = await mkdtemp(join(tmpdir(), 'loci-bench-'));
const product = await openProduct(undefined, replay ? { EGRESS_ALLOW_PRIVATE: 'true' } : {}, dataDir);
try {
  const api = new Api(product.url);
  await api.send('POST', '/config/resources/language_models', { name: 'measured', ...model });
  await api.send('PUT', '/config/memory/semantic', {
    llm_model: 'measured',
    ingestion_trigger_messages: 1,
    ingestion_trigger_age_seconds: 1,
  });
  const left = [...dialogues];
  const scored: ScoredDialogue[] = [];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift())
      scored.push(scoreDialogue(next, await learn(api, next)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (replay && replay.unknown.length > 0)
    throw new Error(`No reply was recorded for: ${replay.unknown.join('\n')}`);
  const sequence = new Map(dialogues.map(({ id }, index) => [id, index]));
  scored.sort((a, b) => (sequence.get(a.id) ?? 0) - (sequence.get(b.id) ?? 0));
  const results: KnowledgeResults = {
    model: values.provider ?? REPLAY,
    promptVersion: promptVersion(),
    dialogues: scored,
  };
  say(reportOf(results));
  if (values.baseline !== undefined)
    say(
      `\n${differenceOf(JSON.parse(await readFile(values.baseline, 'utf8')) as KnowledgeResults, results)}`,
    );
  if (values.out !== undefined) await writeFile(values.out, `${JSON.stringify(results, undefined, 2)}\n`);
} finally {
  await product.stop();
  await replay?.models.close();
  await rm(dataDir, { recursive: true, force: true });
}
