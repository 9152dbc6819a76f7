import { ADD, type Input, refuse, TENANT, UNSTORABLE } from './input.js';

type Refused = Pick<Input, 'type' | 'loc'>;

const add = (name: string, message: object, { type = '', loc = [] }: Refused): Input =>
  refuse(
    `add: ${name}`,
    ADD,
    { ...TENANT, messages: [{ content: 'x' }, { content: 'y', ...message }] },
    type,
    ['body', 'messages', 1, ...loc],
  );

export const BAD_MESSAGES: Input[] = [
  refuse('add: no messages', ADD, TENANT, 'missing', ['body', 'messages']),
  refuse('add: empty messages', ADD, { ...TENANT, messages: [] }, 'too_short', ['body', 'messages']),
  refuse('add: messages null', ADD, { ...TENANT, messages: null }, 'list_type', ['body', 'messages']),
  refuse('add: messages an object', ADD, { ...TENANT, messages: { 0: {} } }, 'list_type', [
    'body',
    'messages',
  ]),
  refuse(
    'add: 1001 messages',
    ADD,
    { ...TENANT, messages: Array.from({ length: 1001 }, () => ({ content: 'x' })) },
    'too_long',
    ['body', 'messages'],
  ),
  ...[5, null, 'x', ['x'], true].map((message) =>
    refuse(
      `add: message ${JSON.stringify(message)}`,
      ADD,
      { ...TENANT, messages: [message] },
      'model_attributes_type',
      ['body', 'messages', 0],
    ),
  ),
  refuse('add: message without content', ADD, { ...TENANT, messages: [{}] }, 'missing', [
    'body',
    'messages',
    0,
    'content',
  ]),
  refuse(
    'add: types unknown',
    ADD,
    { ...TENANT, types: ['episodic', 'x'], messages: [{ content: 'x' }] },
    'enum',
    ['body', 'types', 1],
  ),
  refuse(
    'add: types a text',
    ADD,
    { ...TENANT, types: 'episodic', messages: [{ content: 'x' }] },
    'list_type',
  ),
  refuse('add: types null', ADD, { ...TENANT, types: null, messages: [{ content: 'x' }] }, 'list_type'),
  ...[5, null, ['x'], { a: 1 }].map((content) =>
    add(`content ${JSON.stringify(content)}`, { content }, { type: 'string_type', loc: ['content'] }),
  ),
  ...UNSTORABLE.flatMap((value) => [
    add(`content ${JSON.stringify(value)}`, { content: value }, { type: 'string_unicode', loc: ['content'] }),
    add(
      `producer ${JSON.stringify(value)}`,
      { producer: value },
      { type: 'string_unicode', loc: ['producer'] },
    ),
    add(
      `metadata value ${JSON.stringify(value)}`,
      { metadata: { k: value } },
      { type: 'string_unicode', loc: ['metadata', 'k'] },
    ),
    add(
      `metadata key ${JSON.stringify(value)}`,
      { metadata: { [value]: 'v' } },
      { type: 'string_unicode', loc: ['metadata', value] },
    ),
  ]),
  add('content too long', { content: 'x'.repeat(200_001) }, { type: 'string_too_long', loc: ['content'] }),
  add('producer null', { producer: null }, { type: 'string_type', loc: ['producer'] }),
  add('producer too long', { producer: 'x'.repeat(1001) }, { type: 'string_too_long', loc: ['producer'] }),
  add('role a number', { role: 1 }, { type: 'string_type', loc: ['role'] }),
  add('produced_for a list', { produced_for: [] }, { type: 'string_type', loc: ['produced_for'] }),
  add('episode_type unknown', { episode_type: 'note' }, { type: 'enum', loc: ['episode_type'] }),
  add('metadata a list', { metadata: [] }, { type: 'dict_type', loc: ['metadata'] }),
  add('metadata null', { metadata: null }, { type: 'dict_type', loc: ['metadata'] }),
  add('metadata value a number', { metadata: { n: 5 } }, { type: 'string_type', loc: ['metadata', 'n'] }),
  add('metadata value null', { metadata: { n: null } }, { type: 'string_type', loc: ['metadata', 'n'] }),
  add(
    'metadata value an object',
    { metadata: { n: { a: 'b' } } },
    { type: 'string_type', loc: ['metadata', 'n'] },
  ),
  add(
    'metadata value too long',
    { metadata: { n: 'x'.repeat(8193) } },
    { type: 'string_too_long', loc: ['metadata', 'n'] },
  ),
  add(
    'metadata key of 129 characters',
    { metadata: { [`k${'x'.repeat(128)}`]: 'v' } },
    { type: 'string_too_long', loc: ['metadata', `k${'x'.repeat(127)}`] },
  ),
  add(
    '65 metadata keys',
    { metadata: Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`k${n}`, 'v'])) },
    { type: 'too_long', loc: ['metadata'] },
  ),
  ...['yesterday', '', '1714557600', '2024-02-30', '2024-05-01T25:00:00Z', 'infinity', 1e300, -1e300].map(
    (timestamp) =>
      add(
        `timestamp ${JSON.stringify(timestamp)}`,
        { timestamp },
        { type: 'datetime_parsing', loc: ['timestamp'] },
      ),
  ),
  ...[true, [], {}].map((timestamp) =>
    add(
      `timestamp ${JSON.stringify(timestamp)}`,
      { timestamp },
      { type: 'datetime_type', loc: ['timestamp'] },
    ),
  ),
];
