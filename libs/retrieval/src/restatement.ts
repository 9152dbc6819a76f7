import { type Hit, type SimilarityCurve } from './calibration.js';

/** A candidate, as far as it can say the same as another one. */
export interface Statement {
  readonly id: string;
  readonly atMs: number;
  readonly speaker: string;
  /** Id of the turn right before it: its vector tells of that turn as well, and would be near to it whatever it says. */
  readonly previous?: string | undefined;
  /** What its score is made of. */
  readonly sum: number;
}

/** Candidates among which the other statement is looked for. */
export const STATEMENTS_LOOKED_AT = 20;

/** Of the sum of the best one: what has less to do with the query does not answer it. */
const MIN_SHARE = 0.2;

/**
 * The best candidate, and those that may say the same thing again, or said it before: of the same speaker, later or earlier.
 * The figures of this file were chosen on thirty pairs of statements of their own, and so that they cost no recall on LoCoMo,
 * split dev, a third of whose questions they concern.
 * @param statements best first
 */
export function restatementsOf(
  statements: readonly Statement[],
  asked: 'now' | 'before',
): { readonly best: Statement; readonly others: readonly Statement[] } | undefined {
  const [best, ...rest] = statements.slice(0, STATEMENTS_LOOKED_AT);
  if (!best) return undefined;
  const others = rest.filter(
    ({ id, previous, speaker, atMs, sum }) =>
      speaker === best.speaker &&
      previous !== best.id &&
      best.previous !== id &&
      (asked === 'now' ? atMs > best.atMs : atMs < best.atMs) &&
      sum >= MIN_SHARE * best.sum,
  );
  return others.length > 0 ? { best, others } : undefined;
}

/**
 * Where more candidates are about the same thing, much is said about it and none replaces another; questions about others than
 * the person who asks are more often of that kind.
 */
const MOST = { ofAsker: 2, ofOthers: 1 } as const;

/** How much relevance to the query counts beside nearness to the best candidate. */
const RELEVANCE = 0.5;

/**
 * The one of the others that is about the same thing as the best candidate, if there is one and few are.
 * @param similar the others by their cosine to the best candidate
 * @param curve of the embedder: from its midpoint on, texts are about the same thing
 * @param isOfAsker whether the query is about the person who asks
 */
export function restatement(
  others: readonly Statement[],
  similar: readonly Hit[],
  { midpoint }: SimilarityCurve,
  isOfAsker: boolean,
): Statement | undefined {
  const cosines = new Map(similar.map(({ id, score }) => [id, score]));
  const valueOf = ({ id, sum }: Statement): number => (cosines.get(id) ?? -1) + RELEVANCE * sum;
  const alike = others.filter(({ id }) => (cosines.get(id) ?? -1) >= midpoint);
  if (alike.length > (isOfAsker ? MOST.ofAsker : MOST.ofOthers)) return undefined;
  return alike.reduce<Statement | undefined>(
    (found, one) => (found && valueOf(found) >= valueOf(one) ? found : one),
    undefined,
  );
}
