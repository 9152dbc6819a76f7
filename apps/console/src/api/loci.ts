import { answered, Loci, LociError, type components } from '@loci/client';

/** Shapes of the API, by their names in its document. */
export type Wire = components['schemas'];

/** A request of the page counts for its session only with this header, which pages of other origins cannot send. */
export const SESSION_HEADER = { 'x-loci-session': '1' };

const OPTIONS = { url: window.location.origin, headers: SESSION_HEADER, maxWaitMs: 3000 };

/** The client that everybody uses, for the origin of the page. Failures are shown rather than waited out. */
export const loci = new Loci({ ...OPTIONS, maxRetries: 1 });

export const { api } = loci;

/** For what costs money each time: it is sent once, and waited for as long as models are. */
export const { api: apiOnce } = new Loci({ ...OPTIONS, maxRetries: 0, timeoutMs: 180_000 });

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
