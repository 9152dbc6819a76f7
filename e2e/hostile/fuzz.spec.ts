import { beforeAll, expect, test } from '@jest/globals';
import { type Loci } from '@loci/testing';
import fc from 'fast-check';
import { ApiDocument, type Operation, type WireAnswer } from '../harness/api-document.js';
import { TIMEOUT_MS } from '../harness/client.js';
import { type Schema, spoilt, valueOf } from '../harness/json-arbitrary.js';
import { product } from './product.js';

/** Requests to each operation, half of them as its schema describes. */
const RUNS = 15;

/** Streams and protocols: they have tests of their own. */
const OTHERS = ['import_project', 'mcp', 'stream_events', 'stream_statistics'];

/** What a schema cannot say: which names there are, and what goes with what. */
const SENSELESS =
  /At least one id is required|unknown_resource|unknown_subject|url_refused|datetime_future|absent beside as_of|a date as exactly as it is known|moment_too_far|There should be 1 to 50 messages|Field required with project_id|"provider"|"set_id"/;

let loci: Loci;
let document: ApiDocument;

beforeAll(async () => {
  loci = await product();
  document = await ApiDocument.read(loci.url);
});

const bodySchemaOf = ({ requestBody }: Operation): Schema | undefined =>
  requestBody?.content['application/json']?.schema;

interface Sent {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly isValid: boolean;
}

/** Requests to an operation: as described, and not. */
function requestsTo(operation: Operation): fc.Arbitrary<Sent> {
  const { schemas } = document;
  const { path } = operation;
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
      (filling, name, index) => filling.replace(name, encodeURIComponent(values[index] ?? '')),
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

async function send(method: string, { path, query, body }: Sent): Promise<WireAnswer> {
  const search = new URLSearchParams(query).toString();
  const response = await fetch(`${loci.url}${path}${search && `?${search}`}`, {
    method,
    headers: {
      authorization: 'Bearer fuzz-token-0123456789abcdef',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test('whatever is sent to any operation, the answer is one that the document describes, and never our fault', async () => {
  let sent = 0;
  let accepted = 0;
  for (const operation of document.operations) {
    if (OTHERS.includes(operation.operationId)) continue;
    const hasInput = operation.requestBody !== undefined || (operation.parameters ?? []).length > 0;
    await fc.assert(
      fc.asyncProperty(requestsTo(operation), async (request) => {
        const answer = await send(operation.method, request);
        const { status, text } = answer;
        sent += 1;
        if (request.isValid && status < 300) accepted += 1;
        const index = { operation: operation.operationId, request };
        expect({ ...index, status: status < 500, text }).toEqual({ ...index, status: true, text });
        expect({ ...index, wrong: document.contradictions(operation, answer) }).toEqual({
          ...index,
          wrong: undefined,
        });
      }),
      { numRuns: hasInput ? RUNS : 2 },
    );
  }
  expect(sent).toBeGreaterThan(500);
  // otherwise the document would describe requests that are refused
  expect(accepted).toBeGreaterThan(sent / 8);
});

test('what the document describes is not refused as invalid', async () => {
  for (const operation of document.operations) {
    const { path, method, operationId } = operation;
    const schema = bodySchemaOf(operation);
    if (!schema || OTHERS.includes(operationId)) continue;
    const body = valueOf(schema, document.schemas);
    // nor can it say what a filter or a cursor is
    const described = document.fieldsOf(operation)?.find(({ name }) => name === 'filter');
    const filter = described?.isRequired ? "metadata.a = 'b'" : undefined;
    const plain = body.map((value) => ({ ...(value as object), filter, cursor: undefined }));
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
});
