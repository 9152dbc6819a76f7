export const CUTS = [5, 10, 20, 50] as const;

/** How well one question, or the average of many, was answered. All between 0 and 1. */
export interface Quality {
  /** By cut k: the share of a question's gold turns among the first k hits (strict: all of them = 1). */
  readonly recall: Readonly<Record<number, number>>;
  /** By cut k: 1 when any gold turn is among the first k hits. */
  readonly hit: Readonly<Record<number, number>>;
  /** 1 divided by the rank of the first gold turn; 0 when there is none. */
  readonly mrr: number;
  /** Sum of 1 / log2(rank + 1) over the gold turns among the first 10, divided by the largest sum possible. */
  readonly ndcg10: number;
}

export const DEFINITIONS = [
  'R@k: share of a question’s gold turns among the first k hits, averaged over the questions (strict)',
  'hit@k: share of the questions with at least one gold turn among the first k hits',
  'MRR: 1 / rank of the first gold turn (0 if none among the first 50), averaged',
  'NDCG@10: sum of 1 / log2(rank + 1) over gold turns among the first 10, by the largest possible, averaged',
  'index: time from the first add until every message has its vector, by the number of messages',
  'query: time from the request over HTTP to the whole answer, one request at a time',
  'processor: user and system time of all processes of the product, PostgreSQL, NATS and Qdrant included',
] as const;

/** @param hits ids, best first, without repetition */
export function judge(hits: readonly string[], gold: readonly string[]): Quality {
  const ranks = hits.flatMap((id, index) => (gold.includes(id) ? [index] : []));
  const within = (cut: number): number => ranks.filter((index) => index < cut).length;
  const gain = (index: number): number => 1 / Math.log2(index + 2);
  const ideal = sum(gold.slice(0, 10).map((_, index) => gain(index)));
  return {
    recall: byCut((cut) => within(cut) / gold.length),
    hit: byCut((cut) => (within(cut) > 0 ? 1 : 0)),
    mrr: ranks[0] === undefined ? 0 : 1 / (ranks[0] + 1),
    ndcg10: sum(ranks.filter((index) => index < 10).map(gain)) / ideal,
  };
}

export const average = (all: readonly Quality[]): Quality => ({
  recall: byCut((cut) => mean(all.map(({ recall }) => recall[cut] ?? 0))),
  hit: byCut((cut) => mean(all.map(({ hit }) => hit[cut] ?? 0))),
  mrr: mean(all.map(({ mrr }) => mrr)),
  ndcg10: mean(all.map(({ ndcg10 }) => ndcg10)),
});

/** The value below which the given share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

const byCut = (value: (cut: number) => number): Record<number, number> =>
  Object.fromEntries(CUTS.map((cut) => [cut, value(cut)]));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const mean = (values: readonly number[]): number => sum(values) / Math.max(1, values.length);
