import { describe, expect, test } from '@jest/globals';
import { nullableOptionals, toStrictSchema, withoutBounds } from './strict-schema.js';

const SCHEMA = {
  type: 'object',
  properties: {
    facts: {
      type: 'array',
      maxItems: 9,
      items: {
        type: 'object',
        properties: {
          // names of properties, not keywords
          required: { type: 'string', maxLength: 5 },
          properties: { type: 'string', enum: ['a', 'b'] },
        },
        required: ['required'],
      },
    },
  },
  required: ['facts'],
};

test('objects are closed, every property is required, an optional one may be null, bounds are left out', () => {
  expect(toStrictSchema(SCHEMA)).toEqual({
    type: 'object',
    properties: {
      facts: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            required: { type: 'string' },
            properties: { type: ['string', 'null'], enum: ['a', 'b', null] },
          },
          required: ['required', 'properties'],
          additionalProperties: false,
        },
      },
    },
    required: ['facts'],
    additionalProperties: false,
  });
});

test('a schema that is strict already stays as it is', () => {
  const strict = toStrictSchema(SCHEMA);
  expect(strict && toStrictSchema(strict)).toEqual(strict);
});

test('an optional property without a type may be null, too', () => {
  const schema = { type: 'object', properties: { a: { anyOf: [{ type: 'string' }] } } };
  expect(toStrictSchema(schema)).toMatchObject({
    properties: { a: { anyOf: [{ anyOf: [{ type: 'string' }] }, { type: 'null' }] } },
  });
});

test('without bounds a schema says the same of its parts, names that look like bounds included', () => {
  const inside = { type: 'object', properties: { format: { type: 'string', maxLength: 5 } } };
  const schema = { type: 'array', maxItems: 9, items: inside };
  expect(withoutBounds(schema)).toEqual({
    type: 'array',
    items: { type: 'object', properties: { format: { type: 'string' } } },
  });
});

describe('an object with keys that are not known has no strict form', () => {
  test.each([
    ['at the top', { type: 'object' }],
    ['inside', { type: 'object', properties: { map: { type: 'object' } } }],
    ['because it says so', { type: 'object', properties: {}, additionalProperties: true }],
    ['with values of a kind', { type: 'object', properties: {}, additionalProperties: { type: 'string' } }],
  ])('%s', (_, schema) => expect(toStrictSchema(schema)).toBeUndefined());
});

test('for a check, null is as good as absent, and bounds hold', () => {
  expect(nullableOptionals(SCHEMA)).toMatchObject({
    properties: {
      facts: {
        maxItems: 9,
        items: {
          properties: {
            required: { type: 'string', maxLength: 5 },
            properties: { type: ['string', 'null'] },
          },
          required: ['required'],
        },
      },
    },
  });
});
