import { ADD, CONFIG, CREATE, DELETE, type Input, refuse, TENANT } from './input.js';

export const OTHER_BAD_INPUTS: Input[] = [
  refuse('delete: no id', DELETE, TENANT, 'too_short', ['body', 'episodic_ids']),
  refuse('delete: empty id', DELETE, { ...TENANT, episodic_id: '' }, 'string_too_short', [
    'body',
    'episodic_id',
  ]),
  refuse('delete: empty id in the list', DELETE, { ...TENANT, episodic_ids: ['a', ''] }, 'string_too_short', [
    'body',
    'episodic_ids',
    1,
  ]),
  refuse('delete: id null', DELETE, { ...TENANT, episodic_id: null }, 'string_type', ['body', 'episodic_id']),
  refuse('delete: ids a text', DELETE, { ...TENANT, episodic_ids: 'a' }, 'list_type', [
    'body',
    'episodic_ids',
  ]),
  refuse('delete: an id with NUL', DELETE, { ...TENANT, episodic_ids: ['\u0000'] }, 'string_unicode'),
  refuse(
    'delete: 1001 ids',
    DELETE,
    { ...TENANT, episodic_ids: Array.from({ length: 1001 }, (_, n) => String(n)) },
    'too_long',
    ['body', 'episodic_ids'],
  ),
  refuse('create: description a number', CREATE, { ...TENANT, description: 1 }, 'string_type', [
    'body',
    'description',
  ]),
  refuse(
    'create: description too long',
    CREATE,
    { ...TENANT, description: 'x'.repeat(10_001) },
    'string_too_long',
  ),
  refuse('create: config null', CREATE, { ...TENANT, config: null }, 'model_attributes_type', [
    'body',
    'config',
  ]),
  refuse('create: backend unknown', CREATE, { ...TENANT, config: { backend: 'x' } }, 'enum', [
    'body',
    'config',
    'backend',
  ]),
  refuse('create: embedder null', CREATE, { ...TENANT, config: { embedder: null } }, 'string_type', [
    'body',
    'config',
    'embedder',
  ]),
  refuse(
    'create: property of an unknown type',
    CREATE,
    { ...TENANT, config: { properties_schema: { a: 'text' } } },
    'enum',
    ['body', 'config', 'properties_schema', 'a'],
  ),
  refuse('settings: enabled maybe', CONFIG, { ...TENANT, enabled: 'maybe' }, 'bool_parsing', [
    'body',
    'enabled',
  ]),
  refuse(
    'settings: long_term_memory_enabled a list',
    CONFIG,
    { ...TENANT, long_term_memory_enabled: [] },
    'bool_type',
    ['body', 'long_term_memory_enabled'],
  ),
  refuse(
    'settings: short term, enabled 7',
    '/api/v2/memory/episodic/short_term/config',
    { ...TENANT, enabled: 7 },
    'bool_parsing',
  ),
  ...['', 'x'.repeat(256), 'é'].map((key): Input => ({
    name: `idempotency-key ${JSON.stringify(key).slice(0, 20)}`,
    method: 'POST',
    path: ADD,
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: { ...TENANT, messages: [{ content: 'x' }] },
    status: 422,
    type: 'string_pattern_mismatch',
    loc: ['header', 'idempotency-key'],
  })),
  ...[undefined, 'Bearer', 'Bearer wrong', 'Basic dXNlcjpwYXNz', 'Bearer a b', 'wrong'].map(
    (authorization): Input => ({
      name: `hosted: authorization ${authorization ?? 'absent'}`,
      method: 'POST',
      path: '/v2/memories/search',
      headers: { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) },
      body: { query: 'x' },
      status: 401,
      code: 'unauthenticated',
    }),
  ),
];
