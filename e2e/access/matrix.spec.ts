import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Loci } from '@loci/testing';
import { eachOf } from '../answers/each-of.js';
import { ApiDocument, type Operation } from '../harness/api-document.js';
import { Client, type Json, parse, TIMEOUT_MS } from '../harness/client.js';
import { adminKeyOf, product } from './product.js';

const TARGET = { org_id: 'matrix', project_id: 'target' };

/** What keys are bound to, beside the target. */
const BOUNDS = {
  project: TARGET,
  'other project': { org_id: 'matrix', project_id: 'other' },
  organization: { org_id: 'matrix', project_id: null },
  'other organization': { org_id: 'elsewhere', project_id: null },
  deployment: { org_id: null, project_id: null },
} as const;
type BoundTo = keyof typeof BOUNDS;

const SCOPES = ['read', 'write', 'admin'] as const;
type Scope = (typeof SCOPES)[number];

interface Caller {
  /** Absent: it says nothing of itself. */
  readonly key?: { readonly scope: Scope; readonly boundTo: BoundTo; readonly secret: string };
}

type Verdict = 'allowed' | '401' | '403' | '404';

const UNKNOWN = '01939000-0000-7000-8000-000000000000';

/** Of each tool of MCP: what it takes, and arguments with which it does nothing that another caller notices. */
const TOOLS: Readonly<Record<string, readonly [takes: Scope, given: object]>> = {
  add_memory: ['write', { content: 'x' }],
  search_memory: ['read', { query: 'x' }],
  get_context: ['read', { query: 'x' }],
  list_memories: ['read', {}],
  correct_memory: ['write', { semantic_memory_uid: UNKNOWN, value: 'x' }],
  delete_memory: ['write', { semantic_memory_uids: [UNKNOWN] }],
  list_conflicts: ['read', {}],
  settle_conflict: ['write', { semantic_memory_uid: UNKNOWN }],
};

let loci: Loci;
let operations: readonly Operation[];
let callers: readonly Caller[];

beforeAll(async () => {
  loci = await product();
  operations = (await ApiDocument.read(loci.url)).operations;
  const headers = { authorization: `Bearer ${await adminKeyOf(loci)}` };
  const admin = new Client(loci.url, TARGET, { headers });
  for (const project of [TARGET, BOUNDS['other project'], { ...TARGET, org_id: 'elsewhere' }]) {
    await admin.expect(201, '/projects', project);
  }
  const pairs = Object.keys(BOUNDS).flatMap((boundTo) =>
    SCOPES.map((scope) => ({ scope, boundTo: boundTo as BoundTo })),
  );
  const made = await eachOf(pairs, async ({ scope, boundTo }) => {
    const body = { name: `${scope} ${boundTo}`, scopes: [scope], ...BOUNDS[boundTo] };
    const { secret } = await admin.expect(201, '/keys', body);
    return { key: { scope, boundTo, secret: String(secret) } };
  });
  callers = [{}, ...made];
});

const suffices = (given: Scope, needed: Scope): boolean => given === needed || given === 'admin';

const reaches = (boundTo: BoundTo): boolean => ['project', 'organization', 'deployment'].includes(boundTo);

/** What the table says. */
function verdictOf({ path, 'x-access': rule }: Operation, { key }: Caller): Verdict {
  if (rule.level === 'public') return 'allowed';
  if (!key) return '401';
  if (!rule.scope || !suffices(key.scope, rule.scope)) return '403';
  if (rule.reveals && !suffices(key.scope, 'read')) return '403';
  if (rule.level === 'deployment' && key.boundTo !== 'deployment') return '403';
  if (rule.level === 'organization' && ['project', 'other project'].includes(key.boundTo)) return '403';
  const isHosted = path.startsWith('/v2/');
  if (isHosted && key.boundTo === 'deployment') return '403';
  const isOverruled = isHosted && rule.refuses_other_projects !== true;
  return rule.level !== 'project' || isOverruled || reaches(key.boundTo) ? 'allowed' : '404';
}

/** What is refused by the guard, and nothing else, has these answers. */
function verdictFrom(status: number, { code }: Json): Verdict {
  if (status === 401 || status === 403) return status === 401 ? '401' : '403';
  return status === 404 && code === 'project_not_found' ? '404' : 'allowed';
}

const headersOf = ({ key }: Caller): Record<string, string> => ({
  ...(key && { authorization: `Bearer ${key.secret}` }),
  accept: 'application/json, text/event-stream',
});

/** A request to what a caller may do is refused for its idempotency key where it would change something. */
async function answerTo(operation: Operation, caller: Caller): Promise<Verdict> {
  const { method, path, parameters = [], 'x-access': rule } = operation;
  const isLines = path.endsWith('/import');
  const isInQuery = rule.level === 'project' && parameters.some(({ name }) => name === 'org_id');
  const query = isInQuery ? new URLSearchParams(TARGET) : '';
  const filled = path.replace('{kind}', 'embedders').replace(/\{\w+\}/g, 'nothing');
  const response = await fetch(`${loci.url}${filled}?${query.toString()}`, {
    method,
    headers: {
      ...headersOf(caller),
      'idempotency-key': 'x'.repeat(256),
      ...(!['GET', 'DELETE'].includes(method) && {
        'content-type': isLines ? 'application/x-ndjson' : 'application/json',
      }),
    },
    ...(!['GET', 'DELETE'].includes(method) && { body: isLines ? '' : JSON.stringify(TARGET) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  // an answer that has no end says all with its beginning
  const isEndless =
    response.headers.get('content-type') === 'text/event-stream' && /\/(events|stream)$/.test(path);
  if (isEndless) await response.body?.cancel();
  return verdictFrom(response.status, isEndless ? {} : parse(await response.text()));
}

const nameOf = ({ key }: Caller): string => (key ? `${key.scope} of ${key.boundTo}` : 'no key');

describe('the matrix of keys, routes and levels', () => {
  test('every route allows exactly the callers that the table allows', async () => {
    const cells = operations.flatMap((operation) => callers.map((caller) => ({ operation, caller })));
    expect(cells.length).toBeGreaterThan(1_600);
    const wrong = await eachOf(cells, async ({ operation, caller }) => {
      const [wanted, given] = [verdictOf(operation, caller), await answerTo(operation, caller)];
      return wanted === given ? [] : [[operation.method, operation.path, nameOf(caller), { wanted, given }]];
    });
    expect(wrong.flat()).toEqual([]);
  });

  test('a key that only writes is not shown the project whose models it names', async () => {
    const configure = async (caller: Caller | undefined): Promise<unknown> => {
      const headers = { ...headersOf(caller ?? {}), 'content-type': 'application/json' };
      const body = JSON.stringify({ ...TARGET, reranker: '' });
      const response = await fetch(`${loci.url}/api/v2/projects/config`, { method: 'PUT', headers, body });
      return [response.status, (await response.text()).includes('"embedder"')];
    };
    const by = (wanted: Scope): Caller | undefined =>
      callers.find(({ key }) => key?.boundTo === 'project' && key.scope === wanted);
    expect([await configure(by('write')), await configure(by('read'))]).toEqual([
      [403, false],
      [403, false],
    ]);
    expect(await configure(by('admin'))).toEqual([200, true]);
  });

  test('every tool of MCP demands its scope, too', async () => {
    const { tools } = (await rpc(callers.at(-1) ?? {}, 'tools/list', {})) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(TOOLS).sort());
    const invalid = { top_k: 0, page_size: 0, page: -1, content: 5 };
    for (const { name, scope, caller, key } of callsOfTools()) {
      const wanted = suffices(key.scope, scope) ? 'invalid_request' : 'forbidden';
      expect([name, nameOf(caller), await codeOf(caller, name, invalid)]).toEqual([
        name,
        nameOf(caller),
        wanted,
      ]);
    }
  });

  test('every tool of MCP reaches the project for exactly the keys that are bound to it, or above it', async () => {
    for (const { name, scope, given, caller, key } of callsOfTools()) {
      if (!suffices(key.scope, scope)) continue;
      const isRefused = (await codeOf(caller, name, given)) === 'project_not_found';
      expect([name, nameOf(caller), { isRefused }]).toEqual([
        name,
        nameOf(caller),
        { isRefused: !reaches(key.boundTo) },
      ]);
    }
  });
});

/** Every tool by every caller that may send messages to `/mcp`: who only writes has no business there. */
const callsOfTools = () =>
  Object.entries(TOOLS).flatMap(([name, [scope, given]]) =>
    callers.flatMap((caller) => {
      const { key } = caller;
      return key && suffices(key.scope, 'read') ? [{ name, scope, given, caller, key }] : [];
    }),
  );

/** What a tool fails with; undefined where it does not fail. */
async function codeOf(caller: Caller, name: string, given: object): Promise<unknown> {
  const project = { org_id: TARGET.org_id, proj_id: TARGET.project_id };
  const answer = (await rpc(caller, 'tools/call', { name, arguments: { ...project, ...given } })) as Json;
  const [content] = answer['content'] as { text: string }[];
  return answer['isError'] === true ? parse(content?.text ?? '')['code'] : undefined;
}

async function rpc(caller: Caller, method: string, params: object): Promise<unknown> {
  const response = await fetch(`${loci.url}/mcp`, {
    method: 'POST',
    headers: { ...headersOf(caller), 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return ((await response.json()) as Json)['result'];
}
