import { type Input, refuse, UNSTORABLE } from './input.js';

const MODELS = '/api/v2/config/resources/language_models';
const MEMORY = '/api/v2/config/memory';
const SPEC = { name: 'x', provider: 'openai-responses', config: {} };

const add = (name: string, changes: object, type: string, ...loc: (string | number)[]): Input =>
  refuse(`resource: ${name}`, MODELS, { ...SPEC, ...changes }, type, ['body', ...loc]);

const put = (name: string, path: string, body: unknown, type: string, ...loc: string[]): Input => ({
  ...refuse(`memory: ${name}`, `${MEMORY}${path}`, body, type, ['body', ...loc]),
  method: 'PUT',
});

const nothing = (body: object): Input => ({
  name: `memory: nothing to update: ${JSON.stringify(body)}`,
  method: 'PUT',
  path: MEMORY,
  body,
  status: 400,
  code: 'nothing_to_update',
});

const route = (method: Input['method'], path: string, status: number, code: string): Input => ({
  name: `configuration: ${method} ${path}`,
  method,
  path: `/api/v2/config${path}`,
  status,
  code,
});

const NOT_POSITIVE = [
  ['/semantic', 'ingestion_trigger_messages'],
  ['/semantic', 'ingestion_trigger_age_seconds'],
  ['/semantic', 'vector_dimensions'],
  ['/episodic/short_term', 'message_capacity'],
] as const;

export const BAD_CONFIGURATION: Input[] = [
  add('no name', { name: undefined }, 'missing', 'name'),
  add('empty name', { name: '' }, 'string_too_short', 'name'),
  add('name of 256 characters', { name: 'x'.repeat(256) }, 'string_too_long', 'name'),
  add('name that is a number', { name: 5 }, 'string_type', 'name'),
  add('no provider', { provider: undefined }, 'missing', 'provider'),
  add('config that is a list', { config: [] }, 'dict_type', 'config'),
  ...UNSTORABLE.map((text) =>
    add(
      `key ${JSON.stringify(text)}`,
      { config: { deep: [{ api_key: text }] } },
      ...(['string_unicode', 'config', 'deep', 0, 'api_key'] as const),
    ),
  ),
  ...NOT_POSITIVE.flatMap(([path, field]) =>
    [0, -1].map((value) => put(`${field} of ${value}`, path, { [field]: value }, 'greater_than', field)),
  ),
  put('a backend that is none', '/episodic/long_term', { backend: 'graph' }, 'enum', 'backend'),
  put('a storage that is none', '/semantic', { storage_backend: 'disk' }, 'enum', 'storage_backend'),
  put(
    'a schema of no type',
    '/episodic/long_term',
    { properties_schema: { a: 'x' } },
    'enum',
    'properties_schema',
    'a',
  ),
  put(
    'a value deep inside',
    '',
    { episodic_memory: { short_term_memory: { message_capacity: 'many' } } },
    'int_parsing',
    ...['episodic_memory', 'short_term_memory', 'message_capacity'],
  ),
  put('a section that is a text', '', { semantic_memory: 'on' }, 'model_attributes_type', 'semantic_memory'),
  nothing({}),
  nothing({ episodic_memory: null, semantic_memory: null }),
  nothing({ unknown: 1 }),
  route('GET', '/resources/databases/postgres', 404, 'route_not_found'),
  route('POST', '/resources/toString/x/retry', 404, 'route_not_found'),
  route('GET', '/resources/embedders', 405, 'method_not_allowed'),
  route('GET', '/resources/embedders/x/retry', 405, 'method_not_allowed'),
  route('PATCH', '/memory/semantic', 405, 'method_not_allowed'),
  route('GET', '/resources/embedders/a%00b', 404, 'resource_not_found'),
  {
    name: 'resource: force that is no boolean',
    method: 'DELETE',
    path: `${MODELS}/x?force=maybe`,
    status: 422,
    type: 'bool_parsing',
    loc: ['query', 'force'],
  },
];
