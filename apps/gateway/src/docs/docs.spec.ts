import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadEnv } from '@loci/platform';
import { text } from '@loci/platform/schema';
import { Controller, Get, Post } from '@nestjs/common';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { Type } from 'typebox';
import { startTestGateway, type TestGateway } from '../../test/test-gateway.js';
import { GatewayEnv } from '../env.js';
import { request } from '../wire/schema/request.js';
import { Documented } from './documented.decorator.js';
import { type JsonSchema } from './json-schema.js';
import { openApiDocument } from './openapi-document.js';
import { SchemaBook } from './schema-book.js';

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
  readonly components: { readonly responses: Operation['responses'] };
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

describe('the document', () => {
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
    const real = [...new Set(routes)].filter((route) => !/^GET \/docs(\/|$)/.test(route));
    expect(documented.sort()).toEqual(real.sort());
  });

  test('gives every operation a name of its own', () => {
    const names = operations().map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  test('has examples that fit their schemas', () => {
    const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
    ajv.addFormat('loci-filter', true);
    ajv.addSchema({ $id: 'document', components: served.components });
    const absolute = (schema: JsonSchema): object =>
      JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components')) as object;
    let checked = 0;
    for (const [where, { schema, example, examples = {} }] of medias()) {
      const values = [
        ...(example === undefined ? [] : [example]),
        ...Object.values(examples).map(({ value }) => value),
      ];
      for (const value of values) {
        const problems = ajv.validate(absolute(schema), value) ? [] : ajv.errors;
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
