import { expect, test } from '@jest/globals';
import { projectUid } from './project-uid.js';

test('takes a UUID in either case', () => {
  expect(projectUid('0190A1B2-C3D4-7E5F-8A6B-7C8D9E0F1A2B')).toBe('0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b');
});

test.each(['', 'p', "' OR true --", '0190a1b2c3d47e5f8a6b7c8d9e0f1a2b'])('refuses %j', (text) => {
  expect(() => projectUid(text)).toThrow('must be a UUID');
});
