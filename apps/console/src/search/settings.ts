import { problemOf, type Wire } from '../api/loci.js';
import { textOf } from '../api/search-params.js';
import { named, type Project } from '../projects/project.js';

/** How a search is done; what is absent is as Loci does it. */
export interface Settings {
  readonly top_k?: number;
  readonly filter?: string;
  readonly score_threshold?: number;
  readonly expand_context?: number;
  readonly diversity?: number;
  readonly reference_time?: string;
}

const NUMBERS = ['top_k', 'score_threshold', 'expand_context', 'diversity'] as const;
const TEXTS = ['filter', 'reference_time'] as const;

/** @param given from an address, which anybody can write */
export function settingsFrom(given: unknown): Settings | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const fields = given as Readonly<Record<string, unknown>>;
  const settings: Record<string, unknown> = {};
  for (const name of NUMBERS) if (Number.isFinite(fields[name])) settings[name] = fields[name];
  for (const name of TEXTS)
    if (typeof fields[name] === 'string' && fields[name] !== '') settings[name] = fields[name];
  return settings;
}

/** Whether a field of the form says why a search was refused. */
export const isOfField = (error: unknown): boolean =>
  [...NUMBERS, ...TEXTS].some((name) => problemOf(error, name) !== undefined);

/** What the playground asks, by its address. */
export interface SearchAddress {
  readonly q?: string | undefined;
  readonly a?: Settings | undefined;
  /** A second one, to compare with. */
  readonly b?: Settings | undefined;
  /** The id of a message that should be among the hits. */
  readonly expected?: string | undefined;
}

/** Each part is named, also without a value: what is not named stays as it was written. */
export const searchAddress = (search: Readonly<Record<string, unknown>>): SearchAddress => ({
  q: textOf(search['q']),
  a: settingsFrom(search['a']),
  b: settingsFrom(search['b']),
  expected: textOf(search['expected']),
});

/** The request of a search, as the API takes it. */
export const bodyOf = (project: Project, query: string, settings: Settings): Wire['SearchMemoriesSpec'] => ({
  ...named(project),
  query,
  ...settings,
  explain: true,
  // of a project with few messages all are among the newest: they have scores, too
  rank_short_term: true,
});
