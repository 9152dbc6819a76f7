import {
  ADD,
  CONFIG,
  CREATE,
  DELETE,
  type Input,
  LIST,
  refuse,
  SEARCH,
  TENANT,
  UNSTORABLE,
} from './input.js';

/** Names that break the rule of identifiers, in several scripts and with attacks on every layer below. */
const BAD_IDENTIFIERS = [
  '',
  ' ',
  'a b',
  ' a',
  'a/b',
  'a.b',
  '../../etc/passwd',
  "'; DROP TABLE episodes; --",
  '" OR 1=1',
  '*',
  '>',
  '$JS.API.>',
  '${jndi:ldap://x}',
  '<script>alert(1)</script>',
  '😀',
  'a😀b',
  'a\u200bb',
  '\u202eabc',
  'e\u0301',
  '\ufeffa',
  'a\nb',
  'a\r\nSet-Cookie: x=y',
  'a\tb',
  'שלום עולם',
  '你好，世界',
  'ａ！',
  '%00',
  '{"$gt":""}',
] as const;

export const BAD_IDENTIFIER_INPUTS: Input[] = [
  ...BAD_IDENTIFIERS.flatMap((id, index) => [
    refuse(
      `add: org_id ${JSON.stringify(id)}`,
      ADD,
      { ...TENANT, org_id: id, messages: [{ content: 'x' }] },
      'string_pattern_mismatch',
      ['body', 'org_id'],
    ),
    refuse(
      `${[CREATE, SEARCH, DELETE, CONFIG][index % 4] ?? ''}: project_id ${JSON.stringify(id)}`,
      [CREATE, SEARCH, DELETE, CONFIG][index % 4] ?? '',
      { ...TENANT, project_id: id, query: 'x', episodic_id: 'x' },
      'string_pattern_mismatch',
      ['body', 'project_id'],
    ),
  ]),
  ...UNSTORABLE.map((id) =>
    refuse(`list: project_id ${JSON.stringify(id)}`, LIST, { ...TENANT, project_id: id }, 'string_unicode', [
      'body',
      'project_id',
    ]),
  ),
  ...[5, null, true, [], {}, ['a']].map((id) =>
    refuse(
      `get: org_id ${JSON.stringify(id)}`,
      '/api/v2/projects/get',
      { ...TENANT, org_id: id },
      'string_type',
      ['body', 'org_id'],
    ),
  ),
  refuse('create: no ids', CREATE, {}, 'missing', ['body', 'org_id']),
  refuse('count: no project_id', '/api/v2/projects/episode_count/get', { org_id: 'acme' }, 'missing', [
    'body',
    'project_id',
  ]),
  refuse('delete project: no org_id', '/api/v2/projects/delete', { project_id: 'p' }, 'missing', [
    'body',
    'org_id',
  ]),
  refuse('list: org_id of 256 characters', LIST, { ...TENANT, org_id: 'é'.repeat(256) }, 'string_too_long', [
    'body',
    'org_id',
  ]),
];
