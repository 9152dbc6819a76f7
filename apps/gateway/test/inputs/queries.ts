import { type Input, LIST, refuse, SEARCH, TENANT } from './input.js';

const search = (name: string, fields: object, type: string, ...loc: (string | number)[]): Input =>
  refuse(`search: ${name}`, SEARCH, { ...TENANT, query: 'x', ...fields }, type, ['body', ...loc]);

const list = (name: string, fields: object, type: string, ...loc: (string | number)[]): Input =>
  refuse(`list: ${name}`, LIST, { ...TENANT, ...fields }, type, ['body', ...loc]);

export const BAD_QUERIES: Input[] = [
  refuse('search: no query', SEARCH, TENANT, 'missing', ['body', 'query']),
  search('query null', { query: null }, 'string_type', 'query'),
  search('query with NUL', { query: 'a\u0000' }, 'string_unicode', 'query'),
  search('query with half a pair', { query: '\udfff' }, 'string_unicode', 'query'),
  search('query too long', { query: 'x'.repeat(32_001) }, 'string_too_long', 'query'),
  search('top_k 0', { top_k: 0 }, 'greater_than_equal', 'top_k'),
  search('top_k -1', { top_k: -1 }, 'greater_than_equal', 'top_k'),
  search('top_k 1001', { top_k: 1001 }, 'less_than_equal', 'top_k'),
  search('top_k 1e300', { top_k: 1e300 }, 'less_than_equal', 'top_k'),
  search('top_k 1.5', { top_k: 1.5 }, 'int_from_float', 'top_k'),
  search('top_k ten', { top_k: 'ten' }, 'int_parsing', 'top_k'),
  search('top_k null', { top_k: null }, 'int_type', 'top_k'),
  search('top_k true', { top_k: true }, 'int_type', 'top_k'),
  refuse('search: top_k infinite', SEARCH, '{"query":"x","top_k":1e999}', 'finite_number', ['body', 'top_k']),
  search('expand_context a text', { expand_context: 'x' }, 'int_parsing', 'expand_context'),
  search('score_threshold a text', { score_threshold: 'high' }, 'float_parsing', 'score_threshold'),
  search('score_threshold a list', { score_threshold: [] }, 'float_type', 'score_threshold'),
  refuse(
    'search: score_threshold infinite',
    SEARCH,
    '{"query":"x","score_threshold":-1e999}',
    'finite_number',
  ),
  search('agent_mode maybe', { agent_mode: 'maybe' }, 'bool_parsing', 'agent_mode'),
  search('agent_mode 2', { agent_mode: 2 }, 'bool_parsing', 'agent_mode'),
  search('agent_mode null', { agent_mode: null }, 'bool_type', 'agent_mode'),
  search('set_metadata a text', { set_metadata: 'x' }, 'dict_type', 'set_metadata'),
  search('types unknown', { types: ['procedural'] }, 'enum', 'types', 0),
  list('page_size -1', { page_size: -1 }, 'greater_than_equal', 'page_size'),
  list('page_size 1001', { page_size: 1001 }, 'less_than_equal', 'page_size'),
  list('page_num -1', { page_num: -1 }, 'greater_than_equal', 'page_num'),
  list('page_num 1e18', { page_num: 1e18 }, 'less_than_equal', 'page_num'),
  list('page_size null', { page_size: null }, 'int_type', 'page_size'),
  list('type unknown', { type: 'all' }, 'enum', 'type'),
  list('type a list', { type: ['episodic'] }, 'enum', 'type'),
];
