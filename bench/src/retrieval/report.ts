import { average, CUTS, type Quality, quantile } from './metrics.js';

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
  /** From the first add, or the start, until everything was indexed. */
  readonly indexedInMs: number;
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
export const reportOf = (outcome: Outcome, turns: number): string =>
  [`## ${outcome.configuration}`, tableOf(outcome), costOf(outcome, turns)].join('\n\n');

function tableOf(outcome: Outcome): string {
  const header = [
    'category',
    'questions',
    ...CUTS.map((cut) => `R@${cut}`),
    ...CUTS.map((cut) => `hit@${cut}`),
    'MRR',
    'NDCG@10',
  ];
  const rows = averagesOf(outcome).map(({ category, questions, quality }) => [
    category,
    String(questions),
    ...CUTS.map((cut) => percent(quality.recall[cut])),
    ...CUTS.map((cut) => percent(quality.hit[cut])),
    percent(quality.mrr),
    percent(quality.ndcg10),
  ]);
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function costOf({ answers, indexedInMs }: Outcome, turns: number): string {
  const took = answers.map(({ tookMs }) => tookMs);
  const [p50, p99] = [quantile(took, 0.5), quantile(took, 0.99)].map((ms) => ms.toFixed(1));
  const index = (indexedInMs / Math.max(1, turns)).toFixed(1);
  return `Index: ${index} ms per message (${turns} messages). Query: ${String(p50)} ms p50, ${String(p99)} ms p99, one at a time.`;
}

const percent = (share = Number.NaN): string => (share * 100).toFixed(1);
