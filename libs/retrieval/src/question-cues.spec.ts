import { expect, test } from '@jest/globals';
import { asksForPast, asksForState, speaksOfAsker, statementAskedFor, wantsAnswer } from './question-cues.js';

test.each([
  ['Where do I live?', true],
  ["What is my dog's name?", true],
  ['What did you recommend to me?', false],
  ['Where does Ann live?', false],
  ['Is it mine?', true],
  ['the mime of the island', false],
])('%p is about the person who asks: %p', (query, expected) => {
  expect(speaksOfAsker(query)).toBe(expected);
});

test.each([
  ['Where did I live before?', true],
  ['Where did Ann use to work?', false],
  ['What car I used to drive?', true],
  ['my previous phone number', true],
  ['my old car', true],
  ['How old is Ann?', false],
  ['Where do I live?', false],
])('%p asks for what was before: %p', (query, expected) => {
  expect(asksForPast(query)).toBe(expected);
});

test.each([
  ['Where do I live?', true],
  ["What's my phone number?", true],
  ['Where did I live before?', false],
  ['What is my previous phone number?', false],
  ['Which countries have I been to?', false],
  ['Where does Ann live?', false],
])('%p asks for what holds now for the person who asks: %p', (query, expected) => {
  expect(asksForState(query)).toBe(expected);
});

test.each([
  ['Where do I live?', 'now'],
  ['Where does Ann live?', 'now'],
  ["What's Ann's job?", 'now'],
  ['Where did Ann live before?', 'before'],
  ['What was my old number?', 'before'],
  ['Where did Ann go in May?', undefined],
  ["Ann's job", undefined],
  ['Do you know what Ann does?', undefined],
] as const)('%p asks for a statement of %p', (query, expected) => {
  expect(statementAskedFor(query)).toBe(expected);
});

test.each([
  ['Where does Ann live?', true],
  ['安娜住在哪里？', true],
  ['Ann lives where', false],
  ['What did Bob ask?', false],
  ['Which questions are open?', false],
])('%p wants an answer: %p', (query, expected) => {
  expect(wantsAnswer(query)).toBe(expected);
});
