import { describe, expect, test } from '@jest/globals';
import { Loci, type Memory } from '../index.js';

const sent: unknown[] = [];
const loci = new Loci({
  url: 'http://127.0.0.1:9',
  fetch: (request) => {
    sent.push(request);
    return Promise.reject(new Error('Nothing may be sent.'));
  },
});

/** As a program without types writes it. */
const untyped = (given: unknown): never => given as never;

const memory = loci.memory({ org: 'acme', project: 'p', user: 'anna' });

describe('what types would tell is told without them, before anything is sent', () => {
  test.each<[string, (mine: Memory) => unknown]>([
    [
      'There is no option max_tokens; write maxTokens.',
      (mine) => mine.context('x', untyped({ max_tokens: 30 })),
    ],
    ['There is no option top_k; write topK.', (mine) => mine.recall('x', untyped({ top_k: 1 }))],
    [
      'There is no option score_threshold; write threshold.',
      (mine) => mine.search('x', untyped({ score_threshold: 0.5 })),
    ],
    ['There is no option types; write kinds.', (mine) => mine.count(untyped({ types: ['episodic'] }))],
    ["'episodes' is none of them.", (mine) => mine.search('x', untyped({ kinds: ['episodes'] }))],
    ["'episodic' is none of them.", (mine) => mine.add('x', untyped({ kinds: ['episodic'] }))],
    ['a text is none', (mine) => mine.search('x', untyped({ filter: "metadata.user_id='anna'" }))],
    ['a text is none', (mine) => mine.list(untyped({ filter: '' })).next()],
    ['a memory that list, search or recall gave', (mine) => mine.forget(untyped(''))],
    [
      'A message has no field timestamp; write at.',
      (mine) => mine.add(untyped({ content: 'x', timestamp: '2026-01-01' })),
    ],
    [
      'A message has no field produced_for; write producedFor.',
      (mine) => mine.add(untyped({ content: 'x', produced_for: 'bot' })),
    ],
    ['A message is a text, or', (mine) => mine.add(untyped(undefined))],
    ['A message is a text, or', (mine) => mine.add(untyped(5))],
    ['A message is a text, or', (mine) => mine.add(untyped({ text: 'x' }))],
  ])('%s (%#)', async (message, call) => {
    const given = Promise.resolve(memory).then(call);
    await expect(given).rejects.toThrow(TypeError);
    await expect(given).rejects.toThrow(message);
    expect(sent).toEqual([]);
  });

  test.each(['userId', 'user_id', 'organization', 'sessionId'])('a scope has no field %s', (name) => {
    const scope = { org: 'acme', project: 'p', [name]: 'anna' };
    expect(() => loci.memory(scope)).toThrow(
      new TypeError(`A memory has no field ${name}; its fields are org, project, user, agent, session.`),
    );
  });
});

test('fields that providers add to their messages stand in no way', async () => {
  const answer = { role: 'assistant', content: 'Noted.', refusal: null, tool_calls: [] };
  await expect(memory.add(answer, { signal: AbortSignal.abort() })).rejects.not.toBeInstanceOf(TypeError);
});
