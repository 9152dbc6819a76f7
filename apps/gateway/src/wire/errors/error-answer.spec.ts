import { describe, expect, test } from '@jest/globals';
import {
  AppError,
  conflict,
  ERROR_KINDS,
  type ErrorCode,
  forbidden,
  internal,
  invalid,
  notFound,
  rateLimited,
  timedOut,
  tooLarge,
  unauthenticated,
  unavailable,
} from '@loci/contracts';
import { MethodNotAllowedException, NotFoundException } from '@nestjs/common';
import { fastify } from 'fastify';
import { errorAnswer } from './error-answer.js';

const SENTENCE = 'Something is wrong; do something about it.';

describe('every kind has its status, and a body with the sentence and the code', () => {
  test.each<[number, AppError]>([
    [401, unauthenticated('unauthenticated', SENTENCE)],
    [403, forbidden('forbidden', SENTENCE)],
    [404, notFound('project_not_found', SENTENCE)],
    [409, conflict('project_exists', SENTENCE)],
    [413, tooLarge('body_too_large', SENTENCE)],
    [429, rateLimited('overloaded', SENTENCE)],
    [500, internal('internal_error', SENTENCE)],
    [503, unavailable('database_unavailable', SENTENCE)],
    [504, timedOut('deadline_exceeded', SENTENCE)],
  ])('%d', (status, error) => {
    expect(errorAnswer(error)).toMatchObject({ status, body: { detail: SENTENCE, code: error.code } });
  });

  test('no code of the catalogue is without one', () => {
    const codes = Object.keys(ERROR_KINDS) as ErrorCode[];
    const statuses = codes.map((code) => errorAnswer(new AppError(code, SENTENCE)).status);
    expect(statuses.every((status) => status >= 400 && status < 600)).toBe(true);
  });
});

test('an invalid request is answered with its problems and nothing else', () => {
  const problems = [
    { loc: ['body', 'a', 0], msg: 'Field required', type: 'missing' },
    { loc: ['body', 'b'], msg: 'Field required', type: 'missing' },
  ] as const;
  expect(errorAnswer(invalid('invalid_request', problems))).toMatchObject({
    status: 422,
    body: { detail: problems },
  });
});

test('further fields stand beside the sentence', () => {
  const error = notFound('memory_not_found', SENTENCE, { fields: { not_found: ['a'], deleted: [] } });
  expect(errorAnswer(error).body).toEqual({
    detail: SENTENCE,
    code: 'memory_not_found',
    not_found: ['a'],
    deleted: [],
  });
});

describe('headers', () => {
  test.each([
    [unavailable('service_unavailable', SENTENCE), { 'retry-after': '1' }],
    [unavailable('service_unavailable', SENTENCE, { retryAfterSeconds: 2.2 }), { 'retry-after': '3' }],
    [rateLimited('overloaded', SENTENCE), { 'retry-after': '1' }],
    [conflict('idempotency_key_in_flight', SENTENCE, { retryAfterSeconds: 1 }), { 'retry-after': '1' }],
    [unauthenticated('unauthenticated', SENTENCE), { 'www-authenticate': 'Bearer' }],
    [notFound('project_not_found', SENTENCE), {}],
  ])('%s: %j', (error, headers) => {
    expect(errorAnswer(error).headers).toEqual(headers);
  });
});

describe('errors of others', () => {
  test.each([
    [new NotFoundException('Cannot GET /secret'), 404, 'route_not_found'],
    [new MethodNotAllowedException(), 405, 'method_not_allowed'],
    [new fastify.errorCodes.FST_ERR_CTP_BODY_TOO_LARGE(), 413, 'body_too_large'],
    [new fastify.errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(), 415, 'unsupported_media_type'],
    [new fastify.errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH(), 400, 'bad_request'],
    [new fastify.errorCodes.FST_ERR_REP_ALREADY_SENT('x', 'y'), 500, 'internal_error'],
    [new TypeError('password=hunter2 at /srv/secret.ts'), 500, 'internal_error'],
    ['a thrown text with a secret', 500, 'internal_error'],
    [undefined, 500, 'internal_error'],
  ])('%s: %d %s, without a word of the original', (error, status, code) => {
    const answer = errorAnswer(error);
    expect(answer).toMatchObject({ status, body: { code } });
    expect(JSON.stringify(answer)).not.toMatch(/secret|hunter2|\.ts/);
  });
});
