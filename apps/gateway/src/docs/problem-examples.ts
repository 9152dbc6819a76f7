import { type ErrorCode, type Problem } from '@loci/contracts';
import { isHostedPath } from '../access/hosted.js';
import { type RequestClass } from '../wire/schema/request.js';
import { ERROR_EXAMPLES } from './error-examples.js';
import { type Route } from './routes.js';
import { type SchemaBook } from './schema-book.js';

const NOT_AN_IDENTIFIER = 'String should match the rule for identifiers: letters, numbers, "_", ":" and "-"';

/** What can be wrong with a request: each differs from the others in the part of the request or in its type. */
const PROBLEM_EXAMPLES = {
  missing: { loc: ['body', 'query'], msg: ERROR_EXAMPLES.invalid_request, type: 'missing' },
  missing_parameter: { loc: ['query', 'project_id'], msg: ERROR_EXAMPLES.invalid_request, type: 'missing' },
  json_invalid: { loc: ['body', 17], msg: 'JSON decode error: unexpected character', type: 'json_invalid' },
  invalid_parameter: { loc: ['query', 'org_id'], msg: NOT_AN_IDENTIFIER, type: 'string_pattern_mismatch' },
  invalid_idempotency_key: {
    loc: ['header', 'idempotency-key'],
    msg: 'String should be 1 to 255 printable ASCII characters',
    type: 'string_pattern_mismatch',
  },
  invalid_filter: {
    loc: ['body', 'filter', 12],
    msg: `Filter, position 12: ${ERROR_EXAMPLES.invalid_filter}`,
    type: 'filter_syntax',
  },
  unknown_resource: {
    loc: ['body', 'embedder'],
    msg: ERROR_EXAMPLES.unknown_resource,
    type: 'unknown_resource',
  },
} as const satisfies Readonly<Record<string, Problem>>;

type ProblemName = keyof typeof PROBLEM_EXAMPLES;

/** Examples of what is wrong with a request to the route, by name; none when nothing of it is read. */
export function problemExamples(route: Route, book: SchemaBook): [name: string, Problem][] {
  const { path, body, query, takesIdempotencyKey, documentation } = route;
  const requires = (shape: RequestClass | undefined): boolean =>
    shape !== undefined && book.describeFields(shape.schema).required.some((name) => !isGiven(name, path));
  const has = (name: string): boolean => query !== undefined && name in query.schema.properties;
  const declares = (code: ErrorCode): boolean => documentation?.errors?.includes(code) === true;
  const isPossible: Readonly<Record<ProblemName, boolean>> = {
    missing: requires(body),
    missing_parameter: requires(query),
    json_invalid: body !== undefined || documentation?.takes !== undefined,
    invalid_parameter: has('org_id'),
    invalid_idempotency_key: takesIdempotencyKey,
    invalid_filter: declares('invalid_filter'),
    unknown_resource: declares('unknown_resource'),
  };
  return Object.entries(PROBLEM_EXAMPLES).filter(([name]) => isPossible[name as ProblemName]);
}

/** Whether the hosted form fills the field in. */
const isGiven = (name: string, path: string): boolean =>
  isHostedPath(path) && (name === 'org_id' || name === 'project_id');
