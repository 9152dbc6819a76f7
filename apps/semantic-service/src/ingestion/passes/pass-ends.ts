import { AppError } from '@loci/contracts';
import { BatchFailedError, ReadApartError } from '../extraction/batch-reader.js';
import { type CategoryGroup, halvesOfGroup } from '../extraction/category-groups.js';
import { type CategoryEnd } from '../extraction/category-ingester.js';
import { type Suspects } from '../extraction/unfinished-messages.js';
import { type PassEnd } from '../jobs/job.js';
import { isAboutMessages } from '../jobs/retry-plan.js';

/** What became of the next batch of a category. */
export interface FreshBatch extends Pick<CategoryEnd, 'end'> {
  /** Whether there may be more messages than it was given. */
  readonly isFull: boolean;
}

/** What is tried instead of a call for several categories; undefined when nothing else would succeed. */
export function partsAfter(error: unknown, group: CategoryGroup): readonly CategoryGroup[] | undefined {
  const { categories, messages } = group;
  if (categories.length === 1) return undefined;
  const cause = error instanceof BatchFailedError ? error.cause : undefined;
  if (cause instanceof AppError && cause.code === 'model_input_too_long') return halvesOfGroup(group);
  const isOfThisCall = error instanceof ReadApartError || (cause !== undefined && isAboutMessages(cause));
  return isOfThisCall ? categories.map((one) => ({ categories: [one], messages })) : undefined;
}

/** What suspects make of a pass. */
export const toEnd = ({ retryInMs, code, reason }: Suspects): PassEnd =>
  retryInMs > 0 ? { kind: 'retrying', afterMs: retryInMs, code, reason } : { kind: 'more' };

/** Whether nothing is to be done before a pause is over. */
export const isWaiting = (end: PassEnd | undefined): end is Extract<PassEnd, { readonly afterMs: number }> =>
  end?.kind === 'retrying' || end?.kind === 'blocked';

/** More to do comes before waiting; of those that wait, the one that waits least. */
export function together(ends: readonly PassEnd[]): PassEnd {
  const more = ends.find(({ kind }) => kind === 'more');
  if (more) return more;
  return ends.filter(isWaiting).sort((a, b) => a.afterMs - b.afterMs)[0] ?? { kind: 'done' };
}

export const isLeaseLost = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'lease_lost';
