import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Loci } from '@loci/testing';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { type Schema, spoilt, valueOf } from './harness/json-arbitrary.js';

/** Requests to each operation, half of them as its schema describes. */
const RUNS = 15;

/** Streams and protocols: they have tests of their own. */
const OTHERS = ['import_project', 'mcp'];

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly examples?: object }>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, Response>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

/** What a schema cannot say: which names there are, and what goes with what. */
const SENSELESS =
  /At least one id is required|unknown_resource|datetime_future|Field required with project_id|"provider"|"set_id"/;

let loci: Loci;
let document: Document;
let ajv: Ajv2020;
const validators = new Map<string, ValidateFunction>();

beforeAll(async () => {
  loci = await Loci.start({ env: { HOSTED_TOKENS: 'fuzz-token=globex' } });
  document = (await (await fetch(`${loci.url}/openapi.json`)).json()) as Document;
  ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
  ajv.addFormat('loci-filter', true);
  ajv.addSchema({ $id: 'document', components: document.components });
});

afterAll(() => loci.destroy());

const bodySchemaOf = ({ requestBody }: Operation): Schema | undefined =>
  requestBody?.content['application/json']?.schema;

interface Sent {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly isValid: boolean;
}

/** Requests to an operation: as described, and not. */
function requestsTo(path: string, operation: Operation): fc.Arbitrary<Sent> {
  const { schemas } = document.components;
  const schema = bodySchemaOf(operation);
  const valid = schema ? valueOf(schema, schemas) : fc.constant(undefined);
  const parameters = operation.parameters ?? [];
  const query = fc.record(
    Object.fromEntries(
      parameters
        .filter((one) => one.in === 'query')
        .map((one) => [one.name, valueOf(one.schema, schemas).map(String)]),
    ),
  );
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([name]) => name);
  const segments = fc.array(fc.constantFrom('x', 'a b', '%', 'ü', '..x', "'", '0'), {
    minLength: names.length,
    maxLength: names.length,
  });
  const filled = segments.map((values) =>
    names.reduce(
      (filling, name, place) => filling.replace(name, encodeURIComponent(values[place] ?? '')),
      path,
    ),
  );
  const body = schema
    ? fc.oneof(
        valid.map((value) => ({ value, isValid: true })),
        spoilt(valid).map((value) => ({ value, isValid: false })),
      )
    : fc.constant({ value: undefined, isValid: true });
  return fc
    .tuple(filled, query, body)
    .map(([at, asked, { value, isValid }]) => ({ path: at, query: asked, body: value, isValid }));
}

async function send(method: string, { path, query, body }: Sent) {
  const search = new URLSearchParams(query).toString();
  const response = await fetch(`${loci.url}${path}${search && `?${search}`}`, {
    method: method.toUpperCase(),
    headers: {
      authorization: 'Bearer fuzz-token',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  });
  return {
    status: response.status,
    type: response.headers.get('content-type')?.split(';')[0],
    text: await response.text(),
  };
}

/** What is wrong with an answer, according to the document. */
function contradictions(
  operation: Operation,
  status: number,
  type: string | undefined,
  text: string,
): unknown {
  const named = operation.responses[status];
  if (!named) return `status ${status} is not documented: ${text}`;
  const response = named.$ref ? document.components.responses[named.$ref.split('/').at(-1) ?? ''] : named;
  const [media, described] = Object.entries(response?.content ?? {})[0] ?? [];
  if (media === undefined) return text === '' ? undefined : `a body where none is documented: ${text}`;
  if (media !== type) return `${String(type)} instead of ${media}`;
  if (media !== 'application/json' || !described) return undefined;
  const answer: unknown = JSON.parse(text);
  const validate = validatorOf(described.schema);
  if (!validate(answer)) return { answer, errors: validate.errors };
  const code = (answer as { code?: unknown } | null)?.code;
  const isKnown = status < 400 || typeof code !== 'string' || code in (described.examples ?? {});
  return isKnown ? undefined : `the code ${code} is not documented for ${status}`;
}

function validatorOf(schema: Schema): ValidateFunction {
  const key = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
  const known = validators.get(key) ?? ajv.compile(JSON.parse(key) as object);
  validators.set(key, known);
  return known;
}

test('whatever is sent to any operation, the answer is one that the document describes, and never our fault', async () => {
  let sent = 0;
  let accepted = 0;
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (OTHERS.includes(operation.operationId)) continue;
      const hasInput = operation.requestBody !== undefined || (operation.parameters ?? []).length > 0;
      await fc.assert(
        fc.asyncProperty(requestsTo(path, operation), async (request) => {
          const { status, type, text } = await send(method, request);
          sent += 1;
          if (request.isValid && status < 300) accepted += 1;
          const place = { operation: operation.operationId, request };
          expect({ ...place, status: status < 500, text }).toEqual({ ...place, status: true, text });
          expect({ ...place, wrong: contradictions(operation, status, type, text) }).toEqual({
            ...place,
            wrong: undefined,
          });
        }),
        { numRuns: hasInput ? RUNS : 2 },
      );
    }
  }
  expect(sent).toBeGreaterThan(500);
  // otherwise the document would describe requests that are refused
  expect(accepted).toBeGreaterThan(sent / 8);
});

test('what the document describes is not refused as invalid', async () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const schema = bodySchemaOf(operation);
      if (!schema || OTHERS.includes(operation.operationId)) continue;
      const body = valueOf(schema, document.components.schemas);
      // nor can it say what a filter is
      const plain = body.map((value) => ({ ...(value as object), filter: undefined }));
      await fc.assert(
        fc.asyncProperty(plain, async (value) => {
          const { status, text } = await send(method, { path, query: {}, body: value, isValid: true });
          const isAboutSense = SENSELESS.test(text);
          expect({ path, value, text, isRefused: status === 422 && !isAboutSense }).toEqual({
            path,
            value,
            text,
            isRefused: false,
          });
        }),
        { numRuns: 10 },
      );
    }
  }
});
