import { LocalEmbedder } from '@loci/models';
import { type Loci } from '@loci/testing';
import { type BareProgram } from './bare-program.js';
import { measureProcessorTime } from './ingestion/processor-use.js';
import { fire, type Target } from './load.js';

/** The project that is searched. */
export const SEARCHED = { org_id: 'bench', project_id: 'searches' };

/** Those that take part in a search. */
const PROCESSES = ['gateway', 'episodic-api', 'semantic-api', 'postgres', 'qdrant', 'nats'] as const;

const CLIENTS = 16;
const EMBEDDED = 200;

let asked = 0;

/** No query is asked twice: what is remembered of one is of no use for the next. */
const query = (): string => `Which guest spoke of the doctor, and number ${(asked += 1)} of what?`;

/** @param projectUid of the searched project */
export const searchTargets = (loci: Loci, bare: BareProgram, projectUid: string): readonly Target[] => [
  { name: 'constant', url: `${bare.url}/constant`, body: () => ({ query: query() }) },
  { name: 'bare search', url: `${bare.url}/search`, body: () => ({ query: query(), projectUid }) },
  lociSearch(loci),
];

/** Of all kinds of memory, as delivered. */
const lociSearch = (loci: Loci): Target => ({
  name: 'Loci search',
  url: `${loci.url}/api/v2/memories/search`,
  body: () => ({ ...SEARCHED, query: query(), top_k: 10 }),
});

/**
 * What a search takes of the processors, process by process; a table in Markdown.
 * @param postgresPid of the server, which the bench has started
 */
export async function processorTable(
  loci: Loci,
  bare: BareProgram,
  { postgresPid, projectUid, seconds }: { postgresPid: number; projectUid: string; seconds: number },
): Promise<string> {
  const roots: Record<string, number> = {};
  for (const name of PROCESSES) {
    roots[name] = name === 'postgres' ? postgresPid : (await loci.process(name)).pid;
  }
  const product = await perRequest(lociSearch(loci), roots, seconds);
  const [, bareSearch] = searchTargets(loci, bare, projectUid);
  const { postgres = 0, qdrant = 0 } = roots;
  const baseline =
    bareSearch && (await perRequest(bareSearch, { program: bare.pid, postgres, qdrant }, seconds));
  const embedding = await embeddingMs();
  return [
    '| ms of processor time per search | Loci | bare |',
    '| --- | --- | --- |',
    ...PROCESSES.map((name) => row(name, product.get(name), baseline?.get(name))),
    row('bare program', undefined, baseline?.get('program')),
    row('sum', sum(product), baseline && sum(baseline)),
    row('of it, the embedding', embedding, embedding),
  ].join('\n');
}

async function perRequest(
  target: Target,
  roots: Readonly<Record<string, number>>,
  seconds: number,
): Promise<ReadonlyMap<string, number>> {
  const used = await measureProcessorTime(roots);
  const { requests } = await fire(target, CLIENTS, seconds);
  const byKind = (await used())?.byKind ?? new Map<string, number>();
  return new Map([...byKind].map(([name, ms]) => [name, ms / requests]));
}

/** What the model takes of the processors for a query. */
async function embeddingMs(): Promise<number> {
  const embedder = await LocalEmbedder.start();
  try {
    await embedder.embed([query()], { priority: 'query' });
    const before = process.cpuUsage();
    for (let count = 0; count < EMBEDDED; count += 1) await embedder.embed([query()], { priority: 'query' });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 / EMBEDDED;
  } finally {
    await embedder.close();
  }
}

const sum = (times: ReadonlyMap<string, number>): number =>
  [...times.values()].reduce((all, ms) => all + ms, 0);

const row = (name: string, ...cells: readonly (number | undefined)[]): string =>
  `| ${[name, ...cells.map((cell) => cell?.toFixed(2) ?? '')].join(' | ')} |`;
