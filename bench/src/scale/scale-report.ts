import { type ScaleResult } from './scale-result.js';

export const DEFINITIONS = [
  'search, add: time from the request over HTTP to the whole answer, one request at a time, in the searched project',
  'CPU: processor time of all processes of Loci, NATS and Qdrant per request (without PostgreSQL, which runs beside)',
  'Qdrant MB: memory of its own, and pages of its files that are in memory and can be given up',
  'bytes per add: what a message of 115 characters, added on its own, leaves in the tables of PostgreSQL (without the outbox, which empties itself), by what its row and the indexes of that take',
  'at rest: rows of episodes read, and pages of Qdrant, a second, while nothing is asked; the periodic statement with the slowest median',
  'claim: of a set, among those that are due; median and most, on the clock of PostgreSQL',
  'texts and vectors are synthetic and put into PostgreSQL and Qdrant directly',
] as const;

export const HEADER = [
  'episodes',
  'projects',
  'in the searched one',
  'dimensions',
  'quantized',
  'search p50 / p99 ms',
  'CPU ms',
  'add p50 / p99 ms',
  'CPU ms',
  'Qdrant MB own + mapped',
  'bytes per add ÷ row with indexes',
  'at rest rows / pages a second',
  'slowest periodic statement ms',
  'claim ms',
];

const OWN_DIMENSIONS = 384;

export const rowOf = ({ search, add, memory, bytes, night, claim, ...scale }: ScaleResult): string[] => [
  String(scale.episodes),
  String(scale.projects),
  String(scale.searched),
  String(scale.dimensions ?? OWN_DIMENSIONS),
  scale.quantized ? 'yes' : 'no',
  ...[search, add].flatMap(({ p50Ms, p99Ms, processorMs }) => [
    `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)}`,
    processorMs?.toFixed(1) ?? '',
  ]),
  `${memory.ownMb.toFixed(0)} + ${memory.mappedMb.toFixed(0)}`,
  `${bytes.all} ÷ ${bytes.row + bytes.indexes} = ${(bytes.all / (bytes.row + bytes.indexes)).toFixed(2)}`,
  `${(night.rowsRead / night.seconds).toFixed(0)} / ${(night.scrolls / night.seconds).toFixed(2)}`,
  night.statements[0]?.p50Ms.toFixed(1) ?? '',
  claim ? `${claim.p50Ms.toFixed(1)}, ${claim.mostMs.toFixed(1)}` : '',
];

const SLOWEST = 8;

/** What one measurement found beyond its row. */
export const detailsOf = ({ bytes, night }: ScaleResult): string[] => [
  `bytes per add: ${bytes.row} the row, ${bytes.indexes} its indexes; by table: ${Object.entries(bytes.tables)
    .map(([name, size]) => `${name} ${size}`)
    .join(', ')}`,
  ...night.statements
    .slice(0, SLOWEST)
    .map(
      ({ statement, times, p50Ms, mostMs }) =>
        `periodic: ${p50Ms.toFixed(1)} ms (at most ${mostMs.toFixed(1)}), ${times} times: ${statement}`,
    ),
];

/** The goal: a request takes no more than twice as long when a thousand times as much is stored elsewhere. */
const GOAL = 2;

/** How much slower requests to one project become between the smallest and the largest number of episodes. */
export function comparisonOf(results: readonly ScaleResult[]): string[] {
  const kinds = new Set(results.map(kindOf));
  return [...kinds].flatMap((kind) => {
    const comparable = results.filter((result) => kindOf(result) === kind && result.projects > 1);
    const [least, most] = [comparable[0], comparable.at(-1)];
    if (!least || !most || least === most || least.searched !== most.searched) return [];
    return (['search', 'add'] as const).map((operation) => {
      const ratio = most[operation].p99Ms / least[operation].p99Ms;
      const verdict = ratio <= GOAL ? 'within' : 'beyond';
      return `p99 of ${operation} at ${most.episodes} ÷ at ${least.episodes} (${kind}): ${ratio.toFixed(2)}, ${verdict} the goal of ${GOAL}`;
    });
  });
}

const kindOf = ({ quantized, dimensions = OWN_DIMENSIONS }: ScaleResult): string =>
  `${dimensions} dimensions, ${quantized ? 'quantized' : 'not quantized'}`;
