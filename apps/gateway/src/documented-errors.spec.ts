import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type AppError, conflict, type ErrorCode, notFound, timedOut, unavailable } from '@loci/contracts';
import { ROUTE_ROWS, type RouteRow } from '../test/route-rows.js';
import { startTestGateway, type TestGateway } from '../test/test-gateway.js';

interface Response {
  readonly $ref?: string;
  readonly content?: {
    readonly 'application/json'?: { readonly examples?: Readonly<Record<string, unknown>> };
  };
}

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, Response>> }>>>
  >;
  readonly components: { readonly responses: Readonly<Record<string, Response>> };
}

/** How a service says what ends with each of these statuses. Other statuses are not tried here. */
const FAILURES: Readonly<Record<string, (code: ErrorCode) => AppError>> = {
  '404': (code) => notFound(code as 'project_not_found', 'x'),
  '409': (code) => conflict(code as 'project_exists', 'x'),
  '503': (code) => unavailable(code as 'service_unavailable', 'x', { retryAfterSeconds: 1 }),
  '504': (code) => timedOut(code as 'deadline_exceeded', 'x'),
};

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';

const TENANT = { org_id: 'acme', project_id: 'main' };

let gateway: TestGateway;
let served: Document;

beforeAll(async () => {
  gateway = await startTestGateway();
  served = (await gateway.app.inject('/openapi.json')).json<Document>();
});

afterAll(() => gateway.app.close());

interface Failure {
  readonly status: number;
  readonly code: string;
  /** What a service answers. */
  readonly error: AppError;
}

/** The failures with one of these statuses that the document tells of for a route. */
function documented({ method, url }: RouteRow): Failure[] {
  const asked = (url.split('?')[0] ?? '').split('/');
  const matches = (path: string): boolean => {
    const parts = path.split('/');
    return (
      parts.length === asked.length && parts.every((part, at) => part.startsWith('{') || part === asked[at])
    );
  };
  const operation = (served.paths[url] ??
    Object.entries(served.paths).find(([path]) => matches(path))?.[1])?.[method.toLowerCase()];
  return Object.entries(operation?.responses ?? {}).flatMap(([status, response]) => {
    const named = response.$ref
      ? served.components.responses[response.$ref.split('/').at(-1) ?? '']
      : response;
    const codes = Object.keys(named?.content?.['application/json']?.examples ?? {});
    const failWith = FAILURES[status];
    if (!failWith) return [];
    return codes.map((code) => ({ status: Number(status), code, error: failWith(code as ErrorCode) }));
  });
}

/**
 * Both prefixes have the same handlers. A search answers from what remains when one half of memory fails; an import says
 * how far it came.
 */
const isPlain = ({ url }: RouteRow): boolean => !/^\/v2\/|\/(?:search|import)$|^\/mcp/.test(url);

/** Routes with something in the places that are for ids. */
const filled = (row: RouteRow): RouteRow => ({
  ...row,
  url: row.url.replace(':kind', 'embedders').replaceAll(/:\w+/g, ID),
});

test.each(
  ROUTE_ROWS.filter(isPlain)
    .map(filled)
    .map((row) => [`${row.method} ${row.url}`, row] as const),
)('%s passes on every 404, 409, 503 and 504 that the document tells of', async (_, row) => {
  expect(documented(row)).not.toEqual([]);
  for (const { status, code, error } of documented(row)) {
    gateway.rpc.call = () => Promise.reject(error);
    const { method, url: path, body: given, headers } = row;
    const url = row.isTenantInQuery ? `${path}?${new URLSearchParams(TENANT).toString()}` : path;
    const body = typeof given === 'object' ? { ...TENANT, ...given } : given;
    const answer = await gateway.app.inject({
      ...{ method, url },
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { payload: body }),
    });
    expect([code, answer.statusCode, answer.json()]).toEqual([
      ...[code, status],
      expect.objectContaining({ code, detail: expect.any(String) }),
    ]);
  }
});
