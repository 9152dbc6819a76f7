import { type Metrics } from '@loci/platform';

type Measured = 'adds' | 'searches';

/** What counts as an add and as a search, by its route. */
const ROUTES: ReadonlyMap<string, Measured> = new Map([
  ['/memories', 'adds'],
  ['/memories/search', 'searches'],
  ['/context', 'searches'],
  ['/recall', 'searches'],
]);

/** The same as a tool of MCP. */
const TOOLS: ReadonlyMap<string, Measured> = new Map([
  ['add_memory', 'adds'],
  ['search_memory', 'searches'],
  ['get_context', 'searches'],
]);

const PREFIX = /^(?:\/api)?\/v2(?=\/)/;

/** What is told of an answer. */
interface Answered {
  readonly seconds: number;
  readonly status: number;
}

/** Counts an answer by its minute, if it is one that statistics tell of. Refusals are no failures of ours. */
export function countRequest(metrics: Metrics, method: string, path: string, answered: Answered): void {
  if (method === 'POST') count(metrics, ROUTES.get(path.replace(PREFIX, '')), answered);
}

export function countTool(metrics: Metrics, name: string, answered: Answered): void {
  count(metrics, TOOLS.get(name), answered);
}

function count({ minutes }: Metrics, measured: Measured | undefined, { seconds, status }: Answered): void {
  if (measured === undefined) return;
  minutes.count(measured);
  // what is refused at once would make the rest look fast
  if (status < 400) minutes.time(measured, seconds);
  if (status >= 500) minutes.count(`failed_${measured}`);
}
