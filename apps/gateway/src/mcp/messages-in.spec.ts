import { describe, expect, test } from '@jest/globals';
import { messagesIn } from './messages-in.js';

const MAX = 32;

const initialize = (icons: number): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { clientInfo: { name: 'a', version: '1', icons: Array(icons).fill(1) } },
});

const call = (given: unknown): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'add_memory', arguments: given },
});

const refusal = (type: string): unknown =>
  expect.objectContaining({ details: { problems: [expect.objectContaining({ loc: ['body'], type })] } });

describe('messages of JSON-RPC', () => {
  test.each([
    ['more items than clients send', initialize(100_000)],
    ['more fields', { ...initialize(0), ...Object.fromEntries(Array(1001).entries()) }],
    ['more in a batch than one message may have', Array(MAX).fill({ x: Array(32).fill(1) })],
    ['arguments that are no object', call(Array(1001).fill(1))],
    [
      'arguments of what is no tool',
      { ...call(Object.fromEntries(Array(1001).entries())), method: 'prompts/get' },
    ],
  ])('are refused with %s', (_, body) => {
    expect(() => messagesIn(body, MAX)).toThrow(refusal('too_long'));
  });

  test('may say what clients say, and tools take what they take', () => {
    expect(messagesIn(initialize(500), MAX)).toBe(1);
    expect(messagesIn(call({ types: Array(100_000).fill('x') }), MAX)).toBe(1);
    expect(messagesIn([{ id: 1 }, { id: 2 }, { method: 'x' }], MAX)).toBe(3);
  });
});
