import { expect, test } from '@jest/globals';
import { type Embedders } from '@loci/indexing';
import { ENGLISH_ONLY } from '@loci/models';
import { type SearchedProject, type SearchedProjects } from './searched-projects.js';
import { UnsupportedLanguages } from './unsupported-languages.js';

const TENANT = { orgId: 'acme', projectId: 'apollo' };
const GERMAN = 'Seit März wohne ich in einer kleinen Wohnung am Fluss';
const SPANISH = 'Desde marzo vivo en un piso pequeño junto al río';
const ENGLISH = 'Since March I have lived in a small flat by the river';

/** @param fingerprint of what the project is searched by; undefined: nothing yet */
const searchedBy = (fingerprint: string | undefined, embedder = ''): SearchedProject =>
  ({
    project: { models: { embedder } },
    index: { indexVersions: fingerprint === undefined ? [] : [{ state: 'active', fingerprint }] },
  }) as unknown as SearchedProject;

const languagesWith = (find: () => Promise<SearchedProject | undefined>, byDefault = 'local') =>
  new UnsupportedLanguages(
    { find } as unknown as SearchedProjects,
    {
      defaultName: byDefault,
    } as unknown as Embedders,
  );

const stored = (searched: SearchedProject | undefined, texts: readonly string[], byDefault?: string) =>
  languagesWith(() => Promise.resolve(searched), byDefault).ofStored(TENANT, texts);

test('the first other language of the first three texts is told', async () => {
  const local = searchedBy(undefined);
  expect(await stored(local, [ENGLISH, GERMAN, SPANISH])).toBe('de');
  expect(await stored(local, [ENGLISH, 'ok', SPANISH])).toBe('es');
  expect(await stored(local, [ENGLISH, ENGLISH, ENGLISH, GERMAN])).toBeUndefined();
  expect(await stored(local, [])).toBeUndefined();
});

test.each(ENGLISH_ONLY)(
  'a project that is searched by %s is told, whatever it moves to',
  async (fingerprint) => {
    expect(await stored(searchedBy(fingerprint, 'another'), [GERMAN])).toBe('de');
  },
);

test('a project with another embedder is not told', async () => {
  expect(await stored(searchedBy('ada-002'), [GERMAN])).toBeUndefined();
  expect(await stored(searchedBy(undefined, 'another'), [GERMAN])).toBeUndefined();
  expect(await stored(searchedBy(undefined), [GERMAN], 'another')).toBeUndefined();
});

test('what is stored is stored: neither a failure nor a project that is gone is one of the add', async () => {
  const failing = languagesWith(() => Promise.reject(new Error('down')));
  expect(await failing.ofStored(TENANT, [GERMAN])).toBeUndefined();
  expect(await stored(undefined, [GERMAN])).toBeUndefined();
});

test('of a query the language counts as of a text', async () => {
  const languages = languagesWith(() => Promise.resolve(undefined));
  expect(await languages.ofQuery(searchedBy(ENGLISH_ONLY[0]), GERMAN)).toBe('de');
  expect(await languages.ofQuery(searchedBy(ENGLISH_ONLY[0]), ENGLISH)).toBeUndefined();
  expect(await languages.ofQuery(searchedBy('ada-002'), GERMAN)).toBeUndefined();
});
