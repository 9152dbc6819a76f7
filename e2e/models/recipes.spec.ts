import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FakeModels, type Loci } from '@loci/testing';
import { blocksIn, runRequests } from '../harness/snippets.js';
import { product } from './product.js';

const DOCUMENT = 'docs/guide/providers.md';

let loci: Loci;
let models: FakeModels;

/** Requests to Loci stay; each provider is the stand-in that speaks its protocol. */
const standingIn = (code: string): string =>
  code
    .replaceAll('http://localhost:8080', loci.url)
    .replace(/("base_url": )"[^"]+"/, `$1"${models.openAiUrl}"`)
    .replace(/("endpoint": )"[^"]+"/, `$1"${models.url}"`);

const nameIn = (code: string): string => /"(?:name|llm_model)": "([^"]+)"/.exec(code)?.[1] ?? '';

describe('the recipes of providers', () => {
  beforeAll(async () => {
    loci = await product();
    models = await FakeModels.start();
  });
  afterAll(() => models.close());

  test.each(blocksIn(DOCUMENT, 'bash').map((code): [string, string] => [nameIn(code), code]))(
    '%s works as it is shown',
    async (_, code) => {
      const [, expected = 'nothing'] = /^# → (.*)$/m.exec(code) ?? [];
      expect(await runRequests(standingIn(code))).toContain(expected);
    },
  );
});
