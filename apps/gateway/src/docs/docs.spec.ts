import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadEnv } from '@loci/platform';
import { text } from '@loci/platform/schema';
import { Controller, Get, Post } from '@nestjs/common';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { Type } from 'typebox';
import { startTestGateway, type TestGateway } from '../../test/test-gateway.js';
import { GatewayEnv } from '../env.js';
import { request } from '../wire/schema/request.js';
import { Documented } from './documented.decorator.js';
import { type ExplanationAnswer } from '../wire/explanation.wire.js';
import { isComposed } from './field-examples.js';
import { type JsonSchema } from './json-schema.js';
import { openApiDocument } from './openapi-document.js';
import { SchemaBook } from './schema-book.js';

const SAYS_DEFAULT = /\b(absent|null|none|left out|empty|omitted|by default)\b/i;

interface Media {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly responses: Operation['responses'];
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
}

interface Parameter {
  readonly name: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

interface Field {
  readonly where: string;
  /** A property's schema, or a parameter. */
  readonly said: JsonSchema;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

let gateway: TestGateway;
let served: Document;
/** What the HTTP server really has, as `GET /path`. */
const routes: string[] = [];

beforeAll(async () => {
  gateway = await startTestGateway({}, (server) =>
    server.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) if (one !== 'HEAD') routes.push(`${one} ${url}`);
    }),
  );
  served = (await gateway.app.inject('/openapi.json')).json<Document>();
});

afterAll(() => gateway.app.close());

const operations = (): Operation[] => Object.values(served.paths).flatMap((path) => Object.values(path));

const medias = (): [string, Media][] => [
  ...operations().flatMap(({ operationId, requestBody, responses }) => [
    ...mediasOf(`${operationId} request`, requestBody ?? {}),
    ...Object.entries(responses).flatMap(([status, response]) =>
      mediasOf(`${operationId} ${status}`, response),
    ),
  ]),
  ...Object.entries(served.components.responses).flatMap(([name, response]) => mediasOf(name, response)),
];

const mediasOf = (where: string, { content = {} }: Operation['responses'][string]): [string, Media][] =>
  Object.values(content).map((media) => [where, media]);

/** Every property of every schema, at any depth, and every parameter. */
const fields = (): Field[] => fieldsIn({ paths: served.paths, components: served.components }, 'document');

function fieldsIn(part: unknown, where: string): Field[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]: [string, unknown]): Field[] => {
    const at = `${where}.${key}`;
    if (['example', 'examples', 'default', 'enum', 'const'].includes(key)) return [];
    if (key === 'properties' && isMap(value)) {
      const properties = Object.entries(value as Readonly<Record<string, JsonSchema>>);
      const { required = [] } = part as { readonly required?: readonly string[] };
      return properties.flatMap(([name, schema]) => [
        { where: `${where}.${name}`, said: schema, schema, isRequired: required.includes(name) },
        ...fieldsIn(schema, `${where}.${name}`),
      ]);
    }
    if (key === 'parameters' && Array.isArray(value)) {
      return (value as Parameter[]).map((parameter) => ({
        where: `${where}.${parameter.name}`,
        said: { ...parameter },
        schema: parameter.schema,
        isRequired: parameter.required === true,
      }));
    }
    return fieldsIn(value, at);
  });
}

const isMap = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Checks values against schemas of the served document. */
function documentValidator(): (schema: JsonSchema, value: unknown) => unknown {
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
  ajv.addFormat('loci-filter', true);
  ajv.addSchema({ $id: 'document', components: served.components });
  const absolute = (schema: JsonSchema): object =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components')) as object;
  return (schema, value) => (ajv.validate(absolute(schema), value) ? [] : ajv.errors);
}

describe('the document', () => {
  test('describes every property of every schema, and every parameter', () => {
    const all = fields();
    expect(all.length).toBeGreaterThan(700);
    const isSilent = ({ said: { description } }: Field): boolean =>
      typeof description !== 'string' || description.trim() === '';
    expect(all.filter(isSilent).map(({ where }) => where)).toEqual([]);
  });

  test('shows an example of every property that is not made of others, none of them a mere word for text', () => {
    const properties = fields().filter(({ said }) => !('in' in said) && !isComposed(said));
    expect(properties.length).toBeGreaterThan(600);
    const isBare = ({ said }: Field): boolean =>
      !('const' in said) && (!Array.isArray(said['examples']) || said['examples'].includes('text'));
    expect(properties.filter(isBare).map(({ where }) => where)).toEqual([]);
  });

  test('says of every property and parameter that may be left out what that means', () => {
    const optional = fields().filter(({ isRequired }) => !isRequired);
    expect(optional.length).toBeGreaterThan(500);
    const isSilent = ({ said, schema }: Field): boolean =>
      schema['default'] === undefined && !SAYS_DEFAULT.test(String(said['description']));
    expect(optional.filter(isSilent).map(({ where }) => where)).toEqual([]);
  });

  test('passes the recommended rules of Redocly', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const found = await lintFromString({
      source: JSON.stringify(served),
      absoluteRef: 'openapi.json',
      config,
    });
    const problems = found.map(({ ruleId, message, location: [first] }) => ({
      ruleId,
      message,
      pointer: first?.pointer ?? '',
    }));
    // health and metrics take nothing that could be wrong
    const isExpected = ({ ruleId, pointer }: (typeof problems)[number]): boolean =>
      ruleId === 'operation-4xx-response' && /(health|metrics|openapi|live|ready)/.test(pointer);
    expect(problems.filter((one) => !isExpected(one))).toEqual([]);
  });

  test('has examples of properties and parameters that fit their schemas', () => {
    const problemsOf = documentValidator();
    const examples = fields().flatMap(({ where, schema }) =>
      ((schema['examples'] ?? []) as unknown[]).map((value) => ({ where, schema, value })),
    );
    expect(examples.length).toBeGreaterThan(300);
    const wrong = examples.map(({ where, schema, value }) => ({
      where,
      problems: problemsOf(schema, value),
    }));
    expect(wrong.filter(({ problems }) => JSON.stringify(problems) !== '[]')).toEqual([]);
  });

  test('explains the score of a feature with the weights of features, which add up to its sum', () => {
    const of = served.components.schemas['SemanticFeature']?.['properties'] as Record<string, JsonSchema>;
    const [{ parts, sum } = { parts: [], sum: 0 }] = (of['explanation']?.['examples'] ??
      []) as ExplanationAnswer[];
    expect(parts.map(({ name, weight }) => [name, weight])).toEqual([
      ['meaning', 0.7],
      ['words', 0.3],
    ]);
    expect(parts.reduce((all, { contribution }) => all + contribution, 0)).toBeCloseTo(sum, 10);
  });

  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(served) as never);
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  test('is the committed one: run `npm run gen` after changing a route', () => {
    expect(JSON.parse(readFileSync('openapi.json', 'utf8'))).toEqual(served);
  });

  test('has every route that the server has, but for its own pages', () => {
    const documented = Object.entries(served.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    );
    const real = [...new Set(routes)].filter(
      (route) => !/^\w+ \/($|(docs|console|\.well-known)(\/|$))/.test(route),
    );
    expect(documented.sort()).toEqual(real.sort());
  });

  test('gives every operation a name of its own', () => {
    const names = operations().map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  test('has examples that fit their schemas', () => {
    const problemsOf = documentValidator();
    let checked = 0;
    for (const [where, { schema, example, examples = {} }] of medias()) {
      const values = [
        ...(example === undefined ? [] : [example]),
        ...Object.values(examples).map(({ value }) => value),
      ];
      for (const value of values) {
        const problems = problemsOf(schema, value);
        expect({ where, value, problems }).toEqual({ where, value, problems: [] });
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(60);
  });

  test('names the limits of the deployment that serves it', async () => {
    const small = await startTestGateway({ MAX_TOP_K: '7' });
    const { components } = (await small.app.inject('/openapi.json')).json<{
      components: { schemas: Record<string, { properties: Record<string, JsonSchema> }> };
    }>();
    await small.app.close();
    expect(components.schemas['SearchMemoriesSpec']?.properties['top_k']).toMatchObject({
      type: 'integer',
      minimum: 1,
      maximum: 7,
      default: 10,
    });
  });
});

test('an undocumented route is refused by name', () => {
  @Controller('things')
  class Things {
    @Get('one')
    @Documented({ name: 'one', summary: 'One.' })
    one(): void {}

    @Post('two')
    two(): void {}
  }
  const env = loadEnv(GatewayEnv, { NATS_URL: 'nats://x' });
  expect(() => openApiDocument([Things], env)).toThrow(
    'Add @Documented to the handlers of POST /things/two.',
  );
});

test('two schemas that would have one name in the document are refused', () => {
  const part = Type.Object({ a: Type.String() }, { title: 'PartSpec' });
  class Part extends request('PartSpec', { b: text(5) }) {}
  const book = new SchemaBook(loadEnv(GatewayEnv, { NATS_URL: 'nats://x' }));
  expect(book.describe(part)).toEqual(book.describe(part));
  expect(() => book.describe(Part.schema)).toThrow('Two schemas are called PartSpec: rename one.');
});

describe('the page', () => {
  test.each([
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/', 'text/html; charset=utf-8'],
    ['/docs/start.js', 'text/javascript; charset=utf-8'],
    ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
    ['/docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ])('%s is served', async (path, type) => {
    const answer = await gateway.app.inject(path);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe(type);
  });

  test.each(['/docs/package.json', '/docs/..%2fpackage.json', '/docs/constructor'])(
    '%s is not: only what the page needs',
    async (path) => {
      expect((await gateway.app.inject(path)).statusCode).toBe(404);
    },
  );
});
