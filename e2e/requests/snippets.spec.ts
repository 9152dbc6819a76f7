import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FakeModels, type Loci } from '@loci/testing';
import { runSnippets, snippetsIn } from '../harness/snippets.js';
import { product } from './product.js';

let loci: Loci;
let models: FakeModels;

beforeAll(async () => {
  loci = await product();
  models = await FakeModels.start();
});
afterAll(() => models.close());

test.each([
  'libs/client/README.md',
  'libs/ai-sdk/README.md',
  'libs/langchain/README.md',
  'libs/openai-agents/README.md',
])('what %s shows runs, and prints what it says', async (document) => {
  const { code, printed } = snippetsIn(document, {
    'http://127.0.0.1:8080': loci.url,
    'https://api.openai.com/v1': models.openAiUrl,
  });
  expect(await runSnippets(code)).toEqual(printed);
});
