import { type Input, LIST, refuse, SEARCH, TENANT } from './input.js';

const S = '/api/v2/memories/semantic';

/** Routes that read what held at a moment. */
const READS: readonly (readonly [path: string, body: object])[] = [
  [SEARCH, { query: 'x' }],
  [LIST, {}],
  ['/api/v2/context', { query: 'x' }],
  ['/api/v2/recall', { query: 'x' }],
  ['/api/v2/profile', { user: 'ann' }],
];

/** Routes that say when something holds. */
const WRITES: readonly (readonly [path: string, body: object])[] = [
  [`${S}/feature`, { set_id: 's', category_name: 'c', tag: 't', feature: 'f', value: 'v' }],
  [`${S}/feature/update`, { feature_id: 'x' }],
];

const farAhead = String(new Date().getUTCFullYear() + 12);

const read = (name: string, times: object, type: string, field: string): Input[] =>
  READS.map(([path, body]) =>
    refuse(`${name}, ${path}`, path, { ...TENANT, ...body, ...times }, type, ['body', field]),
  );

const write = (name: string, times: object, type: string, field: string): Input[] =>
  WRITES.map(([path, body]) =>
    refuse(`${name}, ${path}`, path, { ...TENANT, ...body, ...times }, type, ['body', field]),
  );

export const BAD_TIMES: Input[] = [
  ...read('as_of in a far future', { as_of: `${farAhead}-01-01T00:00:00Z` }, 'moment_too_far', 'as_of'),
  {
    name: 'as_of in a far future, export',
    method: 'GET',
    path: `/api/v2/projects/export?org_id=acme&project_id=bad-inputs&as_of=${farAhead}-01-01T00:00:00Z`,
    status: 422,
    type: 'moment_too_far',
    loc: ['query', 'as_of'],
  },
  ...read('as_of no moment', { as_of: 'last year' }, 'datetime_parsing', 'as_of'),
  ...[SEARCH, LIST].flatMap((path) =>
    ['current', 'ended', 'expired', 'all'].map((validity) =>
      refuse(
        `as_of beside validity ${validity}, ${path}`,
        path,
        { ...TENANT, query: 'x', type: 'semantic', as_of: '2024-05-01T00:00:00Z', validity },
        'value_error',
        ['body', 'validity'],
      ),
    ),
  ),
  ...[SEARCH, LIST].map((path) =>
    refuse(`validity unknown, ${path}`, path, { ...TENANT, query: 'x', validity: 'old' }, 'enum', [
      'body',
      'validity',
    ]),
  ),
  ...write(
    'ends before it begins',
    { valid_from: '2025', valid_until: '2024-12-31' },
    'value_error',
    'valid_until',
  ),
  ...write(
    'ends when it begins',
    { valid_from: '2025-01', valid_until: '2025-01-01' },
    'value_error',
    'valid_until',
  ),
  ...write('begins at no date', { valid_from: 'in spring' }, 'date_parsing', 'valid_from'),
  ...write('ends on a day that is none', { valid_until: '2025-02-30' }, 'date_parsing', 'valid_until'),
];
