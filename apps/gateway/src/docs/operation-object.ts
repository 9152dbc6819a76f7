import { isHostedPath } from '../access/hosted.js';
import { ignoredFieldsHeader } from '../wire/ignored-fields.js';
import { type RequestClass } from '../wire/schema/request.js';
import { type RouteDocumentation } from './documented.decorator.js';
import { errorResponses } from './error-responses.js';
import { exampleOf } from './examples.js';
import { type JsonSchema } from './json-schema.js';
import { REQUEST_ID } from './request-id-header.js';
import { type Route } from './routes.js';
import { type SchemaBook } from './schema-book.js';

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes the request repeatable: for 24 hours the same key and body give the same answer, and the work is done once. Absent: each request does its work.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
};

/** What the document says of one route. */
export function operationObject(
  route: Route,
  documentation: RouteDocumentation,
  { operationId, book }: { readonly operationId: string; readonly book: SchemaBook },
): JsonSchema {
  const { summary, description } = documentation;
  const requestBody = requestBodyOf(route, documentation, book);
  const parameters = parametersOf(route, documentation, book);
  return {
    operationId,
    ...(route.tag !== undefined && { tags: [route.tag] }),
    summary,
    description: description ?? summary,
    ...(route.isOperational && { security: [] }),
    'x-access': accessOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: {
      [route.status]: successOf(route, documentation, book),
      ...furtherAnswers(documentation, book),
      ...errorResponses(route, book),
    },
  };
}

/** What the route demands of its callers, as docs/access.md says it. */
const accessOf = ({ rule: { scope, level, organization, replaces, reveals }, path }: Route): JsonSchema => ({
  ...(scope && { scope }),
  ...(reveals && { reveals }),
  level,
  ...(organization && { organization: organization === 'change' ? 'admin' : scope }),
  ...(replaces && isHostedPath(path) && { refuses_other_projects: true }),
});

/** The same operation under another prefix is another one for the document. */
export function operationIdOf(path: string, name: string, isTaken: boolean): string {
  if (isHostedPath(path)) return `hosted_${name}`;
  return isTaken ? `root_${name}` : name;
}

function requestBodyOf(
  { body, path }: Route,
  { takes, body: schemaOfBody, examples }: RouteDocumentation,
  book: SchemaBook,
): JsonSchema | undefined {
  if (takes !== undefined) {
    const schema = schemaOfBody ? book.describe(schemaOfBody) : { type: 'string' };
    return { required: true, content: { [takes]: { schema } } };
  }
  if (!body) return undefined;
  const schema = isHostedPath(path) ? hostedSchema(body, book) : book.describe(body.schema);
  return {
    required: true,
    content: { 'application/json': { schema, ...shown(examples, () => exampleOf(schema, book)) } },
  };
}

const shown = (examples: RouteDocumentation['examples'], otherwise: () => unknown): JsonSchema =>
  examples
    ? { examples: Object.fromEntries(Object.entries(examples).map(([title, value]) => [title, { value }])) }
    : { example: otherwise() };

/** The hosted form takes the organization from the token, and the project too when the body names none. */
function hostedSchema({ title, schema }: RequestClass, book: SchemaBook): JsonSchema {
  const { properties, required } = book.describeFields(schema);
  const fields = Object.entries(properties)
    .filter(([name]) => name !== 'org_id')
    .map(([name, field]) => [name, name === 'project_id' ? ofToken(field) : field] as const);
  const needed = required.filter((name) => name !== 'org_id' && name !== 'project_id');
  return book.named(`Hosted${title}`, {
    type: 'object',
    properties: Object.fromEntries(fields),
    ...(needed.length > 0 && { required: needed }),
  });
}

/** The project of a hosted request, which the token names where the body does not. */
const ofToken = (field: JsonSchema): JsonSchema => ({
  ...field,
  description: 'Id of the project; absent = that of the token, else `universal`.',
});

function parametersOf(
  { path, query, takesIdempotencyKey }: Route,
  { path: segments = {} }: RouteDocumentation,
  book: SchemaBook,
): JsonSchema[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const segment = segments[name];
    const schema = segment ? book.describe(segment) : { type: 'string', minLength: 1 };
    return parameter(name, 'path', { schema, required: true });
  });
  return [
    ...inPath,
    ...(query ? queryParameters(query, book) : []),
    ...(takesIdempotencyKey ? [IDEMPOTENCY_KEY] : []),
  ];
}

function queryParameters(shape: RequestClass, book: SchemaBook): JsonSchema[] {
  const { properties, required } = book.describeFields(shape.schema);
  return Object.entries(properties).map(([name, schema]) =>
    parameter(name, 'query', { schema, required: required.includes(name) }),
  );
}

function parameter(
  name: string,
  position: 'path' | 'query',
  { schema: { description, ...schema }, required }: { schema: JsonSchema; required: boolean },
): JsonSchema {
  return { name, in: position, required, ...(description !== undefined && { description }), schema };
}

function successOf(
  { body }: Route,
  { answer, media = 'application/json', headers = {}, optionalHeaders = {} }: RouteDocumentation,
  book: SchemaBook,
): JsonSchema {
  const common = {
    headers: {
      ...REQUEST_ID,
      ...describeHeaders(headers, true),
      ...describeHeaders({ ...optionalHeaders, ...(body && ignoredFieldsHeader) }, false),
    },
  };
  if (!answer) return { description: 'Done.', ...common };
  const schema = book.describe(answer);
  const example = media === 'application/json' && { example: exampleOf(schema, book) };
  return { description: 'The answer.', ...common, content: { [media]: { schema, ...example } } };
}

const describeHeaders = (headers: Readonly<Record<string, string>>, required: boolean): JsonSchema =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, ...(required && { required }), schema: { type: 'string' } },
    ]),
  );

const furtherAnswers = ({ furtherAnswers: answers = {} }: RouteDocumentation, book: SchemaBook): JsonSchema =>
  Object.fromEntries(
    Object.entries(answers).map(([status, { description, answer }]) => [
      status,
      {
        description,
        headers: REQUEST_ID,
        ...(answer && {
          content: { 'application/json': { schema: book.describe(answer) } },
        }),
      },
    ]),
  );
