import { afterEach, expect, test } from '@jest/globals';
import { GatewayEnv } from './env.js';
import { post, startTestGateway, type TestGateway } from '../test/test-gateway.js';

const MESSAGE = { content: 'x' };

let gateway: TestGateway | undefined;

afterEach(() => gateway?.app.close());

const LIMITS = [
  [
    'MAX_BODY_BYTES',
    '1024',
    'memories',
    { messages: [{ content: 'x'.repeat(1_100) }] },
    413,
    'body_too_large',
  ],
  ['MAX_MESSAGES_PER_ADD', '2', 'memories', { messages: [MESSAGE, MESSAGE, MESSAGE] }, 422, 'too_long'],
  ['MAX_CONTENT_CHARS', '3', 'memories', { messages: [{ content: 'four' }] }, 422, 'string_too_long'],
  [
    'MAX_LABEL_CHARS',
    '3',
    'memories',
    { messages: [{ ...MESSAGE, producer: 'four' }] },
    422,
    'string_too_long',
  ],
  [
    'MAX_METADATA_KEYS',
    '1',
    'memories',
    { messages: [{ ...MESSAGE, metadata: { a: '', b: '' } }] },
    422,
    'too_long',
  ],
  [
    'MAX_METADATA_VALUE_CHARS',
    '3',
    'memories',
    { messages: [{ ...MESSAGE, metadata: { a: 'four' } }] },
    422,
    'string_too_long',
  ],
  ['MAX_TOP_K', '5', 'memories/search', { query: 'x', top_k: 6 }, 422, 'less_than_equal'],
  ['MAX_QUERY_CHARS', '3', 'memories/search', { query: 'four' }, 422, 'string_too_long'],
  ['MAX_PAGE_SIZE', '5', 'memories/list', { page_size: 6 }, 422, 'less_than_equal'],
  ['MAX_FILTER_CHARS', '8', 'memories/list', { filter: `metadata.a = 'b'` }, 422, 'string_too_long'],
  ['MAX_FILTER_DEPTH', '2', 'memories/list', { filter: `(((metadata.a = 'b')))` }, 422, 'filter_too_deep'],
  [
    'MAX_FILTER_TERMS',
    '1',
    'memories/list',
    { filter: `metadata.a = 'b' AND metadata.c = 'd'` },
    422,
    'filter_too_many_terms',
  ],
  ['MAX_IDS_PER_DELETE', '1', 'memories/episodic/delete', { episodic_ids: ['a', 'b'] }, 422, 'too_long'],
  [
    'MAX_DESCRIPTION_CHARS',
    '3',
    'projects',
    { org_id: 'a', project_id: 'b', description: 'four' },
    422,
    'string_too_long',
  ],
] as const;

test.each(LIMITS)('%s=%s is kept by %s', async (limit, value, path, body, status, slug) => {
  gateway = await startTestGateway({ [limit]: value });
  const answer = await post(gateway, `/api/v2/${path}`, body);
  expect(answer.status).toBe(status);
  expect(JSON.stringify(answer.body)).toContain(`"${slug}"`);
  expect(gateway.rpc.unexpected).toEqual([]);
});

test('every limit on the content of a request is tried here', () => {
  const tried = LIMITS.map(([name]): string => name);
  const elsewhere = [
    'MAX_IN_FLIGHT',
    'MAX_WAITING',
    'MAX_WAIT_MS',
    'MAX_UPLOADS',
    'MAX_EVENT_STREAMS',
    'MAX_BATCH_LENGTH',
    'MAX_CONNECTIONS_PER_ADDRESS',
  ];
  const known = Object.keys(new GatewayEnv()).filter((name) => name.startsWith('MAX_'));
  expect([...tried, ...elsewhere].sort()).toEqual(known.sort());
});
