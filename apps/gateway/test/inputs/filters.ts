import { type Input, LIST, refuse, SEARCH, TENANT } from './input.js';

const search = (name: string, fields: object, type: string, ...loc: (string | number)[]): Input =>
  refuse(`search: ${name}`, SEARCH, { ...TENANT, query: 'x', ...fields }, type, ['body', ...loc]);

const filter = (text: unknown, type: string, position?: number): Input =>
  search(
    `filter ${JSON.stringify(text).slice(0, 40)}`,
    { filter: text },
    type,
    'filter',
    ...(position === undefined ? [] : [position]),
  );

export const BAD_FILTERS: Input[] = [
  filter(5, 'string_type'),
  filter(null, 'string_type'),
  filter({ a: 1 }, 'string_type'),
  filter("m.a='\u0000'", 'string_unicode'),
  filter('nope=1', 'filter_unknown_field', 1),
  filter('m.a=', 'filter_syntax', 5),
  filter("m.a='x", 'filter_syntax', 5),
  filter("m.a='it's'", 'filter_syntax', 9),
  filter('m.a=1 OR', 'filter_syntax', 9),
  filter('m.a=1; DROP TABLE episodes', 'filter_syntax', 6),
  filter('m.a=1 UNION SELECT * FROM pg_user', 'filter_syntax', 7),
  filter('1=1', 'filter_unknown_field', 1),
  filter('m.a=“x”', 'filter_syntax', 5),
  filter('m.a=NULL', 'filter_null', 5),
  filter("m.a IN (1,'x')", 'filter_value', 11),
  filter("created_at > 'garbage'", 'filter_value', 14),
  filter("m.a > date('garbage')", 'filter_value', 7),
  filter('('.repeat(4000), 'filter_too_deep', 33),
  filter('NOT '.repeat(1000), 'filter_too_deep', 129),
  filter(Array.from({ length: 300 }, () => "m.a='1'").join(' OR '), 'filter_too_many_terms', 2817),
  filter(`m.a='${'x'.repeat(5000)}'`, 'string_too_long'),
  ...['subject', 'trust', 'set', 'value'].map((field) =>
    refuse(
      `forget: all messages, by NOT of the ${field} of a feature`,
      '/api/v2/memories/forget',
      { ...TENANT, filter: `NOT ${field}='x'` },
      'filter_unknown_field',
      ['body', 'filter'],
    ),
  ),
  refuse('list: a bad filter', LIST, { ...TENANT, filter: 'm.a==1' }, 'filter_syntax', ['body', 'filter', 5]),
];
