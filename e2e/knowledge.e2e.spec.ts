import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Loci } from '@loci/testing';
import { type Dialogue, readDialogues } from '../bench/src/knowledge/dialogue.js';
import { Api } from '../bench/src/knowledge/learn.js';
import { REPLAY, type Replay, startReplay } from '../bench/src/knowledge/replay.js';
import { learnWith, scoreDialogues } from '../bench/src/knowledge/score-dialogues.js';

/** Of each kind one at least: all thirty take `npm run bench:knowledge`, which asks for minutes. */
const CHOSEN = new Set([
  ...['moved-city', 'phone-number', 'not-my-dog'],
  ...['married-to-work', 'gossip', 'hypothetical', 'injected-note', 'do-not-remember'],
]);

let dialogues: Dialogue[];
let replay: Replay;
let loci: Loci;

beforeAll(async () => {
  dialogues = readDialogues().filter(({ id }) => CHOSEN.has(id));
  replay = await startReplay(dialogues);
  loci = await Loci.start({ env: { EGRESS_ALLOW_PRIVATE: 'true' } });
  await loci.ready();
});

afterAll(async () => {
  await loci.destroy();
  await replay.models.close();
});

/** Of the replies themselves, which are as of a model: what they note beside the gold labels. */
const MISTAKES = [
  'not-my-dog: not in the gold labels: Has no pets; Rex is the dog of a neighbour',
  'married-to-work: not in the gold labels: Watches football',
  'gossip: not in the gold labels: Is looking for another job',
  'gossip: should not be known: looking for another job',
  'hypothetical: not in the gold labels: Would like a farm in Tuscany',
];

test('from recorded replies is learned what they say, and not a mistake is added to theirs', async () => {
  const api = new Api(loci.url);
  const config = { base_url: replay.models.openAiUrl, api_key: 'any', model: REPLAY };
  await learnWith(api, { provider: 'openai-chat-completions', config });
  const scored = await scoreDialogues(api, dialogues);
  expect(replay.unknown).toEqual([]);
  expect(scored.map(({ id }) => id)).toEqual(dialogues.map(({ id }) => id));
  const mistakes = scored.flatMap(({ id, mistakes: made }) => made.map((mistake) => `${id}: ${mistake}`));
  expect(mistakes).toEqual(MISTAKES);
});
