import { ADD, type Input, refuse } from './input.js';

const raw = (name: string, body: unknown, type: string, loc?: Input['loc']): Input =>
  refuse(`body: ${name}`, ADD, body, type, loc);

export const BROKEN_BODIES: Input[] = [
  { name: 'body: none', method: 'POST', path: ADD, status: 422, type: 'missing', loc: ['body'] },
  raw('empty', '', 'missing', ['body']),
  raw('white space', ' \n', 'json_invalid', ['body', 2]),
  raw('cut off', '{"messages":[{"content":"x', 'json_invalid', ['body', 26]),
  raw('single quotes', "{'messages':[]}", 'json_invalid', ['body', 1]),
  raw('comma at the end', '{"messages":[],}', 'json_invalid', ['body', 15]),
  raw('bare word', '{"messages":tru}', 'json_invalid', ['body', 12]),
  raw('two documents', '{}{}', 'json_invalid', ['body', 2]),
  raw('comment', '{/* x */}', 'json_invalid', ['body', 1]),
  raw('NaN', '{"a":NaN}', 'json_invalid', ['body', 5]),
  raw('leading zero', '{"a":01}', 'json_invalid'),
  raw('raw NUL', '{"a":"\u0000"}', 'json_invalid', ['body', 6]),
  raw('raw newline in a text', '{"a":"\n"}', 'json_invalid', ['body', 6]),
  raw('bad escape', String.raw`{"a":"\x"}`, 'json_invalid', ['body', 6]),
  raw('not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 'json_invalid', ['body', 2]),
  raw('overlong UTF-8', new Uint8Array([0x22, 0xc0, 0xaf, 0x22]), 'json_invalid', ['body', 1]),
  raw('UTF-16', new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]), 'json_invalid', ['body', 0]),
  raw('100,000 lists deep', '['.repeat(100_000), 'json_invalid', ['body', 64]),
  raw('100,000 objects deep', '{"a":'.repeat(100_000), 'json_invalid'),
  raw('closed and 100,000 deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'json_invalid'),
  raw('deep in an unknown field', { messages: [], unknown: nested(100) }, 'json_invalid'),
  ...['null', '5', '"text"', 'true', '[]', '[{"messages":[]}]'].map((body) =>
    raw(`${body} instead of an object`, body, 'model_attributes_type', ['body']),
  ),
  raw('the fields hidden in __proto__', '{"__proto__":{"messages":[{"content":"x"}]}}', 'missing', [
    'body',
    'messages',
  ]),
  raw('the fields hidden in constructor', '{"constructor":{"prototype":{"messages":[]}}}', 'missing'),
  raw('duplicate keys: the last counts', '{"messages":[{"content":"x"}],"messages":5}', 'list_type', [
    'body',
    'messages',
  ]),
];

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = { a: value };
  return value;
}
