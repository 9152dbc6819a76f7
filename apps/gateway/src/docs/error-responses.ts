import { ERROR_KINDS, type ErrorCode, type Problem } from '@loci/contracts';
import { Type, type TSchema } from 'typebox';
import { HTTP_FAILURES, STATUS } from '../wire/errors/error-answer.js';
import { ERROR_EXAMPLES } from './error-examples.js';
import { type JsonSchema } from './json-schema.js';
import { problemExamples } from './problem-examples.js';
import { REQUEST_ID } from './request-id-header.js';
import { type Route } from './routes.js';
import { type SchemaBook } from './schema-book.js';

const problem = Type.Object(
  {
    loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), { description: 'The path to the value.' }),
    msg: Type.String({ description: 'What is wrong, in one sentence.' }),
    type: Type.String({ description: 'A stable slug: missing, string_type, enum, json_invalid, …' }),
  },
  { title: 'Problem' },
);

const invalidRequest = Type.Object(
  { detail: Type.Array(problem, { minItems: 1, description: 'Every problem of the request.' }) },
  { title: 'InvalidRequest' },
);

const refusal = Type.Object(
  {
    detail: Type.String({ description: 'One clear sentence that says what to do.' }),
    code: Type.String({ description: 'A stable slug.' }),
    not_found: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Of memory_not_found, and absent otherwise: the ids that were not there.',
      }),
    ),
    used_by: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Of resource_in_use, and absent otherwise: the first who use it.',
      }),
    ),
    used_by_count: Type.Optional(
      Type.Integer({ description: 'Of resource_in_use, and absent otherwise: how many use it.' }),
    ),
    quota: Type.Optional(
      Type.String({ description: 'Of quota_exceeded, and absent otherwise: its name in GET /quotas.' }),
    ),
    limit: Type.Optional(
      Type.Integer({ description: 'Of quota_exceeded, and absent otherwise: the quota.' }),
    ),
    used: Type.Optional(
      Type.Integer({ description: 'Of quota_exceeded, and absent otherwise: what is used of it.' }),
    ),
    deleted: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Of memory_not_found, and absent otherwise: the ids that were deleted.',
      }),
    ),
  },
  { title: 'Refusal' },
);

/** A code of HTTP itself or of ours, with its status and what it says. */
interface Failure {
  readonly code: string;
  readonly detail: string;
}

const EVERYWHERE: readonly ErrorCode[] = [
  'unauthenticated',
  'forbidden',
  'rate_limit_exceeded',
  'overloaded',
  'internal_error',
];
/** Possible at every route that asks a service. */
const OF_SERVICES: readonly ErrorCode[] = [
  'service_unavailable',
  'database_unavailable',
  'deadline_exceeded',
];
const OF_WRITES: readonly ErrorCode[] = ['idempotency_key_reused', 'idempotency_key_in_flight'];
/** Possible at every route that names a project: it may be another tenant's. */
const OF_TENANTS: readonly ErrorCode[] = ['project_not_found'];

/** A key that is bound to a producer whom the project does not trust changes nothing of semantic memory by hand. */
const OF_SEMANTIC_CHANGES: readonly ErrorCode[] = ['producer_not_allowed'];

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'It asks for nothing that could be done.',
  401: 'No valid token.',
  403: 'The token does not allow this.',
  404: 'Not there, or not yours.',
  408: 'The request did not arrive in time.',
  409: 'In conflict with what is there.',
  413: 'Too large.',
  415: 'Not JSON.',
  422: 'Not valid: every problem with its path.',
  429: 'Too many requests.',
  500: 'Our fault.',
  503: 'Something that it needs is down.',
  504: 'It took too long; it may still take effect.',
};

/** The responses of every failure that a route can have, by status. */
export function errorResponses(route: Route, book: SchemaBook): Record<string, JsonSchema> {
  const responses: [number, JsonSchema][] = [...byStatus(route)].map(([status, failures]) => [
    status,
    book.response(nameOf(failures.map(({ code }) => code)), () => {
      const examples = failures.map((failure) => [failure.code, { value: failure }] as const);
      return response(status, refusal, Object.fromEntries(examples), book);
    }),
  ]);
  const problems = problemExamples(route, book);
  if (problems.length > 0) responses.push([422, invalidResponse(problems, book)]);
  return Object.fromEntries(responses.sort(([one], [other]) => one - other));
}

/** Several failures of one status are one response. */
const nameOf = (slugs: readonly string[]): string => slugs.map(pascal).join('Or');

const pascal = (slug: string): string =>
  slug.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

function invalidResponse(problems: readonly [name: string, Problem][], book: SchemaBook): JsonSchema {
  return book.response(nameOf(problems.map(([name]) => name)), () => {
    const examples = problems.map(([name, problem]) => [name, { value: { detail: [problem] } }] as const);
    return response(422, invalidRequest, Object.fromEntries(examples), book);
  });
}

function byStatus(route: Route): Map<number, Failure[]> {
  const found = new Map<number, Failure[]>();
  const add = (status: number, failure: Failure): void => {
    const failures = found.get(status) ?? [];
    if (!failures.some(({ code }) => code === failure.code)) found.set(status, [...failures, failure]);
  };
  for (const code of codesOf(route)) add(STATUS[ERROR_KINDS[code]], { code, detail: ERROR_EXAMPLES[code] });
  for (const [code, detail] of Object.entries(route.documentation?.badRequests ?? {})) {
    add(400, { code, detail });
  }
  for (const status of failuresOfBodies(route)) {
    const failure = HTTP_FAILURES[status];
    if (failure) add(status, failure);
  }
  return found;
}

/** A body is received also where no handler reads it. */
function failuresOfBodies({ method, ignoresBody }: Route): readonly number[] {
  if (method === 'get') return [];
  return ignoresBody ? [408, 413] : [408, 413, 415];
}

const codesOf = (route: Route): readonly ErrorCode[] =>
  [
    ...(route.isOperational ? [] : [...EVERYWHERE, ...OF_SERVICES]),
    ...(route.takesIdempotencyKey ? OF_WRITES : []),
    ...(route.namesTenant ? OF_TENANTS : []),
    ...(route.rule.organization === 'change' ? OF_SEMANTIC_CHANGES : []),
    ...(route.documentation?.errors ?? []),
  ].filter((code) => ERROR_KINDS[code] !== 'invalid');

const RETRY_AFTER = { description: 'Seconds until trying again makes sense.', schema: { type: 'integer' } };

/** Headers of the refusals of a status. */
const HEADERS: Readonly<Record<number, JsonSchema>> = {
  401: {
    'www-authenticate': {
      description: 'The scheme that is asked for.',
      required: true,
      schema: { type: 'string' },
    },
  },
  429: { 'retry-after': { ...RETRY_AFTER, required: true } },
  503: { 'retry-after': { ...RETRY_AFTER, required: true } },
};

function response(status: number, schema: TSchema, examples: JsonSchema, book: SchemaBook): JsonSchema {
  return {
    description: DESCRIPTIONS[status] ?? 'Refused.',
    headers: { ...REQUEST_ID, ...HEADERS[status] },
    content: { 'application/json': { schema: book.describe(schema), examples } },
  };
}
