import { type ScaleResult } from './scale-run.js';

export const DEFINITIONS = [
  'search, add: time from the request over HTTP to the whole answer, one request at a time, in the searched project',
  'CPU: processor time of all processes of Loci, NATS and Qdrant per request (without PostgreSQL, which runs beside)',
  'Qdrant MB: resident memory beyond that of an empty Qdrant, once its optimizer is done; files that it maps count as far as they are in memory',
  'texts and vectors are synthetic and put into PostgreSQL and Qdrant directly; queries are embedded as ever',
] as const;

export const HEADER = [
  'episodes',
  'projects',
  'in the searched one',
  'quantized',
  'search p50 ms',
  'p99 ms',
  'CPU ms',
  'add p50 ms',
  'p99 ms',
  'CPU ms',
  'Qdrant MB',
  'MB per million',
];

export const rowOf = (result: ScaleResult): string[] => [
  String(result.episodes),
  String(result.projects),
  String(result.searched),
  result.quantized ? 'yes' : 'no',
  ...[result.search, result.add].flatMap(({ p50Ms, p99Ms, processorMs }) => [
    p50Ms.toFixed(1),
    p99Ms.toFixed(1),
    processorMs?.toFixed(1) ?? '',
  ]),
  result.qdrantMb.toFixed(0),
  ((result.qdrantMb / result.episodes) * 1e6).toFixed(0),
];

/** The goal: a search takes no more than twice as long when a hundred times as much is stored elsewhere. */
const GOAL = 2;

/** How much slower searches within one project become between the smallest and the largest number of episodes. */
export function comparisonOf(results: readonly ScaleResult[]): string[] {
  return [false, true].flatMap((quantized) => {
    const comparable = results.filter(({ quantized: isSo, projects }) => isSo === quantized && projects > 1);
    const [least, most] = [comparable[0], comparable.at(-1)];
    if (!least || !most || least === most || least.searched !== most.searched) return [];
    const ratio = most.search.p99Ms / least.search.p99Ms;
    const verdict = ratio <= GOAL ? 'within' : 'beyond';
    const name = quantized ? 'quantized' : 'not quantized';
    return [
      `p99 of a search at ${most.episodes} ÷ at ${least.episodes} (${name}): ${ratio.toFixed(2)}, ${verdict} the goal of ${GOAL}`,
    ];
  });
}
