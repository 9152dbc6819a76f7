import { expect, test } from '@jest/globals';
import { askedByAnother } from './asked-by-another.js';

test.each([
  ['Where do I live?', 'Where does Maria live?'],
  ['What was my old phone number?', "What was Maria's old phone number?"],
  ['Am I in a relationship?', 'is Maria in a relationship?'],
  ['How much rent do we pay, my flatmates and I?', "How much rent do they pay, Maria's flatmates and she?"],
])('%p is asked by another as %p', (question, expected) => {
  expect(askedByAnother(question)).toBe(expected);
});
