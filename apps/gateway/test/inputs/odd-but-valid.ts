import { type Input, LIST, SEARCH, TENANT } from './input.js';

const odd = (name: string, path: string, body: unknown, headers?: Input['headers']): Input => ({
  name,
  method: 'POST',
  path,
  body,
  status: 200,
  ...(headers && { headers }),
});

/** Odd, but right: reads that must be answered although the project does not exist. */
export const ODD_BUT_VALID: readonly Input[] = [
  ...[
    'ａｂｃ',
    'שלום',
    '日本語',
    '٣',
    'a:b_c-d',
    'Ǆ',
    'x'.repeat(255),
    '𝒳'.repeat(255),
    'constructor',
    '__proto__',
  ].map((id) => odd(`identifier ${id.slice(0, 20)}`, LIST, { org_id: id, project_id: id })),
  odd(
    'unknown fields, one called __proto__',
    LIST,
    '{"__proto__":{"page_size":-1},"constructor":5,"x":[[[[]]]]}',
  ),
  odd('a BOM', LIST, '\ufeff{}'),
  odd('numbers as texts', LIST, { page_size: '10', page_num: ' 0 ' }),
  odd('an empty query', SEARCH, { ...TENANT, query: '' }),
  odd('a query of attacks', SEARCH, {
    ...TENANT,
    query: `'; DROP TABLE x; -- <script> $\{jndi} \u202e 😀 %s \\0`,
  }),
  odd('lenient booleans', SEARCH, { ...TENANT, query: 'x', agent_mode: 'YES' }),
  odd('nulls where null means nothing', SEARCH, {
    ...TENANT,
    query: 'x',
    score_threshold: null,
    set_metadata: null,
  }),
  odd('expand_context below 0', SEARCH, { ...TENANT, query: 'x', expand_context: -5 }),
  odd('a blank filter', SEARCH, { ...TENANT, query: 'x', filter: ' \n ' }),
  odd('a filter of attacks', SEARCH, {
    ...TENANT,
    query: 'x',
    filter: `m.'a"b\\''; DROP TABLE x; --' = '%'' OR 1=1 --' OR m."$(x)" IN ('*', '>') AND NOT m.__proto__ IS NULL`,
  }),
  odd('page_size 0', LIST, { ...TENANT, page_size: 0 }),
  odd('a slash at the end of the path', `${LIST}/`, TENANT),
  odd('a query string', `${LIST}?a=b`, TENANT),
  odd('charset in capitals', LIST, TENANT, { 'content-type': 'application/json; charset="UTF-8"' }),
  odd('JSON by another name', LIST, TENANT, { 'content-type': 'application/vnd.api+json' }),
  { name: 'a list of projects without a body', method: 'POST', path: '/api/v2/projects/list', status: 200 },
  odd('a list of projects with a body of any kind', '/api/v2/projects/list', 'a=b', {
    'content-type': 'application/x-www-form-urlencoded',
  }),
  odd('a list of projects with a broken body', '/api/v2/projects/list', '{'),
];
