import { expect, test } from '@jest/globals';
import { AddEpisodesRequest, AppError, Done, NewEpisode, Tenant } from '@loci/contracts';
import { parseShape } from './parse-shape.js';

const episode = { content: 'hi', producerId: 'u', producerRole: '', producedForId: '', metadata: {} };
const request = { tenant: { orgId: 'o', projectId: 'p' }, types: ['episodic'], episodes: [episode] };

const failure = (work: () => unknown): AppError => {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};

test('gives instances of the declared classes at every level', () => {
  const parsed = parseShape(AddEpisodesRequest, request);
  expect(parsed).toBeInstanceOf(AddEpisodesRequest);
  expect(parsed.tenant).toBeInstanceOf(Tenant);
  expect(parsed.episodes[0]).toBeInstanceOf(NewEpisode);
});

test('drops unknown fields, also in nested objects', () => {
  const parsed = parseShape(AddEpisodesRequest, {
    ...request,
    extra: 1,
    tenant: { ...request.tenant, extra: 1 },
  });
  expect(JSON.parse(JSON.stringify(parsed))).toEqual(request);
});

test('keeps every key of a record, whatever JavaScript thinks of it', () => {
  const metadata = JSON.parse(
    '{"constructor":"a","toString":"b","__proto__":"c","then":"d","hasOwnProperty":"e","valueOf":"f"}',
  ) as Record<string, string>;
  const parsed = parseShape(NewEpisode, { ...episode, metadata });
  expect(JSON.stringify(parsed.metadata)).toBe(JSON.stringify(metadata));
});

test('cannot be talked out of validation by a field named constructor or __proto__', () => {
  const hostile = JSON.parse('{"constructor":"x","__proto__":{"orgId":"o","projectId":"p"}}') as object;
  const problems = failure(() => parseShape(Tenant, hostile)).details.problems ?? [];
  expect(new Set(problems.map(({ loc }) => loc.join('.')))).toEqual(
    new Set(['body.orgId', 'body.projectId']),
  );
});

test('names every problem with its path', () => {
  const { code, details } = failure(() =>
    parseShape(AddEpisodesRequest, {
      ...request,
      types: [],
      episodes: [episode, { ...episode, content: 5 }],
    }),
  );
  expect(code).toBe('invalid_request');
  expect(details.problems).toEqual([
    { loc: ['body', 'types'], msg: expect.any(String), type: 'array_min_size' },
    { loc: ['body', 'episodes', 1, 'content'], msg: expect.any(String), type: 'is_string' },
  ]);
});

test.each([null, undefined, 'text', 7, [[]], []])('refuses %j where an object is needed', (body) => {
  expect(failure(() => parseShape(Tenant, body)).code).toBe('invalid_request');
});

test('takes anything for a request without fields', () => {
  expect(parseShape(Done, { unknown: true })).toEqual(new Done());
});
