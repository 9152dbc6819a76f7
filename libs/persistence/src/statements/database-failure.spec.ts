import { expect, test } from '@jest/globals';
import { AppError, notFound } from '@loci/contracts';
import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { databaseFailure } from './database-failure.js';

const withCode = (code: string): Error => Object.assign(new Error('driver'), { code });

test.each([
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'ETIMEDOUT',
    '08006',
    '08001',
    '57P01',
    '57P02',
    '57P03',
    '53300',
    '25006',
  ].map(withCode),
  ...[
    'Connection terminated unexpectedly',
    'Connection terminated',
    'timeout exceeded when trying to connect',
  ].map((message) => new Error(message)),
  new QueryRunnerAlreadyReleasedError(),
  new QueryRunnerProviderAlreadyReleasedError(),
  new QueryFailedError('SELECT 1', [], withCode('57P01')),
])('an outage is unavailable and worth another try: %s', (error) => {
  expect(databaseFailure(error)).toMatchObject({
    kind: 'unavailable',
    code: 'database_unavailable',
    details: { retryAfterSeconds: 1 },
    cause: error,
  });
});

test('a full disk is said to be one, and asks for patience', () => {
  expect(databaseFailure(new QueryFailedError('INSERT', [], withCode('53100')))).toMatchObject({
    kind: 'unavailable',
    code: 'database_unavailable',
    message: expect.stringContaining('disk of the database is full'),
    details: { retryAfterSeconds: 60 },
  });
});

test('a statement that took too long is a time-out', () => {
  const error = new QueryFailedError('SELECT 1', [], withCode('57014'));
  expect(databaseFailure(error)).toMatchObject({ kind: 'timeout', code: 'deadline_exceeded' });
});

test.each([withCode('23505'), withCode('42P01'), new Error('bug'), 'text'])(
  '%s is not an outage',
  (error) => {
    expect(databaseFailure(error)).toBe(error);
  },
);

test('what the application throws stays what it is', () => {
  const error = notFound('project_not_found', 'gone');
  expect(databaseFailure(error)).toBe(error);
  expect(error).toBeInstanceOf(AppError);
});
