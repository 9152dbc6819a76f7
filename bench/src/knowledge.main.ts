import 'reflect-metadata';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readDialogues } from './knowledge/dialogue.js';
import { Api } from './knowledge/learn.js';
import { record, withRecorded } from './knowledge/recorded.js';
import { differenceOf, type KnowledgeResults, reportOf } from './knowledge/report.js';
import { REPLAY, startReplay } from './knowledge/replay.js';
import { learnWith, scoreDialogues } from './knowledge/score-dialogues.js';
import { openProduct } from './retrieval/product.js';

/**
 * `npm run bench:knowledge`: what a model makes of thirty dialogues, compared with gold labels, over HTTP.
 * Without options the recorded replies are replayed: that tests the product, and says nothing about any model.
 *
 *   --provider <name> --config <file>   asks this provider instead; the file is its `config` as JSON, as in its registration
 *   --record <folder>                   keeps what the model replies, a file for each dialogue
 *   --replies <folder>                  replays what was kept there, instead of the replies of the repository
 *   --only <id>                         one dialogue
 *   --out <file>                        keeps the results as JSON
 *   --baseline <file>                   prints what differs from results that were kept
 */
const { values } = parseArgs({
  options: {
    provider: { type: 'string' },
    config: { type: 'string' },
    record: { type: 'string' },
    replies: { type: 'string' },
    only: { type: 'string' },
    out: { type: 'string' },
    baseline: { type: 'string' },
  },
});

const PROMPTS = 'apps/semantic-service/src/ingestion/prompts';

/** That of the newest text in the repository. */
const promptVersion = (): number =>
  Math.max(
    ...readdirSync(PROMPTS).map((name) =>
      Number(/^extraction\.v(?<version>\d+)\.txt$/.exec(name)?.groups?.['version'] ?? 0),
    ),
  );

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const { record: keptIn, replies: kept } = values;
const chosen = readDialogues().filter(({ id }) => values.only === undefined || id === values.only);
const dialogues = kept === undefined ? chosen : chosen.map((dialogue) => withRecorded(kept, dialogue));
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
  await learnWith(api, model);
  const scored = await scoreDialogues(api, dialogues, async (dialogue, project) => {
    if (keptIn !== undefined) await record(api, keptIn, dialogue, project);
  });
  if (replay && replay.unknown.length > 0)
    throw new Error(`No reply was recorded for: ${replay.unknown.join('\n')}`);
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
