import { type Input, refuse, TENANT } from './input.js';

const I = '/api/v2/ingestion';

const ask = (path: string, query: string, type: string, field: string): Input => ({
  name: `ingestion: ${path}?${query}`,
  method: 'GET',
  path: `${I}${path}?org_id=acme&project_id=bad-inputs&${query}`,
  status: 422,
  type,
  loc: ['query', field],
});

const PAGED = ['/backlog', '/jobs', '/dead-letters'];

export const BAD_INGESTION_INPUTS: Input[] = [
  ...PAGED.flatMap((path) => [
    ask(path, 'page_size=0', 'greater_than_equal', 'page_size'),
    ask(path, 'page_size=1001', 'less_than_equal', 'page_size'),
    ask(path, 'page_size=ten', 'int_parsing', 'page_size'),
    ask(path, 'page_num=-1', 'greater_than_equal', 'page_num'),
    ask(path, 'page_num=1.5', 'int_parsing', 'page_num'),
  ]),
  ask('/jobs', 'state=broken', 'enum', 'state'),
  ask('/usage', 'days=0', 'greater_than_equal', 'days'),
  ask('/usage', 'days=367', 'less_than_equal', 'days'),
  ...(['GET', 'DELETE'] as const).map((method): Input => ({
    name: `ingestion: ${method} of a letter of a project with a bad name`,
    method,
    path: `${I}/dead-letters/x?org_id=a%20b`,
    status: 422,
    type: 'string_pattern_mismatch',
    loc: ['query', 'org_id'],
  })),
  refuse('ingestion: replay without a body', `${I}/dead-letters/replay`, undefined, 'missing'),
  refuse(
    'ingestion: replay for a number',
    `${I}/dead-letters/x/replay`,
    { ...TENANT, org_id: 5 },
    'string_type',
    ['body', 'org_id'],
  ),
];
