import { expect, test } from '@jest/globals';
import { type Dated } from '@loci/contracts';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONSOLIDATION_PROMPT_VERSION, consolidationPrompt } from '../consolidation/consolidation-prompt.js';
import { CONSOLIDATION_SCHEMA } from '../consolidation/consolidation-reply.js';
import { EXTRACTION_PROMPT_VERSION, extractionPrompt } from '../extraction/extraction-prompt.js';
import { extractionSchema } from '../extraction/extraction-reply.js';
import { type IngestionEpisode } from '../extraction/ingestion-episode.js';

/** What models are told is kept beside this file, a file for each version: `git diff` shows what another one changes. */
const FOLDER = 'apps/semantic-service/src/ingestion/prompts';

const said = (content: string, producerId: string, createdAt: string): IngestionEpisode => ({
  ...{ episodeUid: content, projectUid: 'p', content, producerId, producerRole: 'user', producedForId: '' },
  createdAt: createdAt as IngestionEpisode['createdAt'],
  addedAt: createdAt as IngestionEpisode['addedAt'],
  metadata: {},
});

const dated = (at: string, precision: Dated['precision']): Dated => ({ at: at as Dated['at'], precision });

const CATEGORY = { prompt: '<the prompt of the category>', tags: new Map([['<tag>', '<its description>']]) };
const FEATURE = { uid: '<uid>', subject: 'ana', tag: 'home', name: 'city', value: 'Valencia' };

const extraction = {
  messages: extractionPrompt({
    categories: ['first', 'second'].map((name) => ({ ...CATEGORY, name })),
    known: new Map([['first', [FEATURE]]]),
    earlier: [said('Where do you live now?', 'bot', '2024-03-01T10:00:00Z')],
    batch: [said('I moved to Graz.', 'ana', '2024-03-01T10:00:05Z')],
    hasSubjects: true,
  }),
  schema: extractionSchema(1, { hasSubjects: true, categories: ['first', 'second'] }),
};
const consolidation = {
  messages: consolidationPrompt([
    { ...FEATURE, category: 'first', validFrom: dated('2024-03-01T00:00:00.000000Z', 'month') },
    { ...FEATURE, category: 'first', validUntil: dated('2025-01-01T00:00:00.000000Z', 'year') },
  ]),
  schema: CONSOLIDATION_SCHEMA,
};

test.each([
  ['extraction', EXTRACTION_PROMPT_VERSION, extraction],
  ['consolidation', CONSOLIDATION_PROMPT_VERSION, consolidation],
])(
  'what a model is told for %s, in version %i, is what is kept of it',
  (name, version, { messages, schema }) => {
    const text = [
      ...messages.map(({ role, content }) => `--- ${role}\n${content}`),
      `--- schema of the reply\n${JSON.stringify(schema, undefined, 2)}\n`,
    ].join('\n');
    const path = join(FOLDER, `${name}.v${version}.txt`);
    // a new version is written by the test that finds it missing, and committed with the change
    if (!existsSync(path) && process.env['CI'] === undefined) writeFileSync(path, text);
    expect(text).toBe(readFileSync(path, 'utf8'));
  },
);

test('every version is kept up to the present one', () => {
  const versions = readdirSync(FOLDER).filter((file) => file.startsWith('extraction.v'));
  expect(versions).toContain(`extraction.v${EXTRACTION_PROMPT_VERSION}.txt`);
  expect(Math.max(...versions.map((file) => Number(/\d+/.exec(file)?.[0])))).toBe(EXTRACTION_PROMPT_VERSION);
});
