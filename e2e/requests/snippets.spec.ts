import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FakeModels, type Loci } from '@loci/testing';
import { readdirSync } from 'node:fs';
import { blocksIn, type Language, runRequests, runSnippets, snippetsIn } from '../harness/snippets.js';
import { product } from './product.js';

let loci: Loci;
let models: FakeModels;

/** That of providers registers models, and is run where other tests do, too. */
const GUIDE = readdirSync('docs/guide')
  .map((name) => `docs/guide/${name}`)
  .filter((path) => path !== 'docs/guide/providers.md');

const showing = (documents: readonly string[], language: Language): string[] =>
  documents.filter((document) => blocksIn(document, language).length > 0);

const urls = (): Record<string, string> => ({
  'http://127.0.0.1:8080': loci.url,
  'http://localhost:8080': loci.url,
  'localhost:8080': new URL(loci.url).host,
  'https://api.openai.com/v1': models.openAiUrl,
});

describe('what a document shows', () => {
  beforeAll(async () => {
    loci = await product();
    models = await FakeModels.start();
  });
  afterAll(() => models.close());

  test.each([
    'libs/client/README.md',
    'libs/ai-sdk/README.md',
    'libs/langchain/README.md',
    'libs/mastra/README.md',
    'libs/openai-agents/README.md',
    ...showing(GUIDE, 'ts'),
  ])('%s: TypeScript runs, and prints what it says', async (document) => {
    const { code, printed } = snippetsIn(document, urls());
    expect(await runSnippets(code)).toEqual(printed);
  });

  test.each(showing(['README.md', ...GUIDE], 'bash'))(
    '%s: requests are answered with what it says',
    async (document) => {
      const { code, printed } = snippetsIn(document, urls(), 'bash');
      const answers = await runRequests(code);
      for (const line of printed) expect(answers).toContain(line);
    },
  );
});
