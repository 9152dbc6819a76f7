import { average, CUTS, type Quality, quantile } from './metrics.js';
import { type Spent } from './spent.js';

export interface Answered {
  readonly conversation: string;
  readonly question: string;
  readonly category: string;
  readonly quality: Quality;
  readonly tookMs: number;
}

/** What was measured of one configuration. */
export interface Outcome {
  readonly configuration: string;
  readonly answers: readonly Answered[];
  /** Turns stored. */
  readonly turns: number;
  /** From the first add, or the choice of another embedder, until everything had its vectors; undefined: it had. */
  readonly indexing: Spent | undefined;
  readonly asking: Spent;
}

export interface Averages {
  readonly category: string;
  readonly questions: number;
  readonly quality: Quality;
}

/** All questions, then category by category. */
export function averagesOf({ answers }: Outcome): Averages[] {
  const categories = [...new Set(answers.map(({ category }) => category))].sort();
  const of = (category: string, some: readonly Answered[]): Averages => ({
    category,
    questions: some.length,
    quality: average(some.map(({ quality }) => quality)),
  });
  return [
    of('all', answers),
    ...categories.map((name) =>
      of(
        name,
        answers.filter(({ category }) => category === name),
      ),
    ),
  ];
}

/** For people, in Markdown; figures of quality in percent. */
export const reportOf = (outcome: Outcome): string =>
  [`## ${outcome.configuration}`, tableOf(outcome), costLinesOf(outcome).join('\n')].join('\n\n');

/** Configurations side by side, and by how many points each is better than the first. */
export function comparisonOf(outcomes: readonly Outcome[]): string {
  const [first] = outcomes;
  if (!first || outcomes.length === 1) return '';
  const header = ['configuration', ...QUALITY_HEADER, 'against the first, R@10', 'query processor ms'];
  const base = qualityOf(first).recall[10] ?? 0;
  const rows = outcomes.map((outcome) => {
    const quality = qualityOf(outcome);
    const gain = ((quality.recall[10] ?? 0) - base) * 100;
    return [
      outcome.configuration,
      ...qualityCells(quality),
      `${gain >= 0 ? '+' : ''}${gain.toFixed(1)}`,
      costOf(outcome).queryProcessorMs?.toFixed(1) ?? 'unknown',
    ];
  });
  return `## Compared, all categories\n\n${markdown(header, rows)}`;
}

const QUALITY_HEADER = [
  ...CUTS.map((cut) => `R@${cut}`),
  ...CUTS.map((cut) => `hit@${cut}`),
  'MRR',
  'NDCG@10',
];

const qualityCells = ({ recall, hit, mrr, ndcg10 }: Quality): string[] => [
  ...CUTS.map((cut) => percent(recall[cut])),
  ...CUTS.map((cut) => percent(hit[cut])),
  percent(mrr),
  percent(ndcg10),
];

const qualityOf = ({ answers }: Outcome): Quality => average(answers.map(({ quality }) => quality));

const tableOf = (outcome: Outcome): string =>
  markdown(
    ['category', 'questions', ...QUALITY_HEADER],
    averagesOf(outcome).map(({ category, questions, quality }) => [
      category,
      String(questions),
      ...qualityCells(quality),
    ]),
  );

const markdown = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** What one message and one query cost, on average. */
export const costOf = ({ answers, turns, indexing, asking }: Outcome): Cost => ({
  indexMsPerMessage: perOne(indexing?.tookMs, turns),
  indexProcessorMsPerMessage: perOne(indexing?.processorMs, turns),
  queryP50Ms: quantile(times(answers), 0.5),
  queryP99Ms: quantile(times(answers), 0.99),
  queryProcessorMs: perOne(asking.processorMs, answers.length),
});

/** Undefined: was not measured. All in ms. */
export interface Cost {
  readonly indexMsPerMessage: number | undefined;
  readonly indexProcessorMsPerMessage: number | undefined;
  readonly queryP50Ms: number;
  readonly queryP99Ms: number;
  readonly queryProcessorMs: number | undefined;
}

function costLinesOf(outcome: Outcome): string[] {
  const cost = costOf(outcome);
  const index =
    cost.indexMsPerMessage === undefined
      ? 'Index: as of the configuration before.'
      : `Index, per message: ${ms(cost.indexMsPerMessage)}, processor ${ms(cost.indexProcessorMsPerMessage)} (${outcome.turns} messages).`;
  const query = `Query: ${ms(cost.queryP50Ms)} p50, ${ms(cost.queryP99Ms)} p99, processor ${ms(cost.queryProcessorMs)} on average (${outcome.answers.length} queries, one at a time).`;
  return [index, query];
}

const times = (answers: readonly Answered[]): number[] => answers.map(({ tookMs }) => tookMs);

const perOne = (total: number | undefined, count: number): number | undefined =>
  total === undefined ? undefined : total / Math.max(1, count);

const ms = (value: number | undefined): string =>
  value === undefined ? 'unknown' : `${value.toFixed(1)} ms`;

const percent = (share = Number.NaN): string => (share * 100).toFixed(1);
