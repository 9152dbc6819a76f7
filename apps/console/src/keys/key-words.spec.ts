import { describe, expect, test } from '@jest/globals';
import { inWords } from './key-words.js';

const bounds = { org_id: 'acme', project_id: 'support', producer: '' };

describe('inWords', () => {
  test.each([
    [
      { scopes: ['read'] as const, bounds, expires: '' },
      'The key will only read in acme / support, until it is revoked.',
    ],
    [
      {
        scopes: ['write', 'read'] as const,
        bounds: { ...bounds, producer: 'ada' },
        expires: '2027-05-04T10:00',
      },
      'The key will read, add, change and forget in acme / support as ada, until 4 May 2027 at 10:00.',
    ],
    [
      { scopes: ['admin'] as const, bounds: { ...bounds, project_id: '' }, expires: '' },
      'The key will do everything, and make keys, in all projects of acme, until it is revoked.',
    ],
    [
      { scopes: ['write'] as const, bounds: { ...bounds, org_id: '' }, expires: '' },
      'The key will only add, change and forget in all organizations, until it is revoked.',
    ],
    [{ scopes: [], bounds, expires: '' }, 'The key will be able to do nothing: choose what it may do.'],
  ])('%j', (wanted, words) => {
    expect(inWords(wanted)).toBe(words);
  });
});
