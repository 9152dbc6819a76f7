import { answered, Loci, LociError, type components } from '@loci/client';

/** Shapes of the API, by their names in its document. */
export type Wire = components['schemas'];

/** A request of the page counts for its session only with this header, which pages of other origins cannot send. */
export const SESSION_HEADER = { 'x-loci-session': '1' };

/** The client that everybody uses, for the origin of the page. Failures are shown rather than waited out. */
export const loci = new Loci({
  url: window.location.origin,
  headers: SESSION_HEADER,
  maxRetries: 1,
  maxWaitMs: 3000,
});

export const { api } = loci;

export { answered };

/** How many entries a list has on all its pages, of which an answer has one. */
export const totalOf = (headers: Headers, rows: readonly unknown[] = []): number =>
  Number(headers.get('x-total-count') ?? rows.length);

/** @returns the problem that a refusal has with a field of its body */
export function problemOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof LociError)) return undefined;
  return error.problems.find(({ loc }) => loc.includes(field))?.msg;
}

/** @returns why a filter was refused, as it stands beside the filter, which need not be named there */
export const filterProblemOf = (error: unknown): string | undefined =>
  problemOf(error, 'filter')?.replace(/^Filter, p/, 'P');
