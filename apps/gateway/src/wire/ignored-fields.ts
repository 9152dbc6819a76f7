import { described, isJsonObject } from '@loci/platform/schema';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { argumentsOf } from './handler-arguments.js';
import { type RequestClass } from './schema/request.js';

/** The header with the fields of a body that nothing reads. */
export const IGNORED_FIELDS = 'x-ignored-fields';

/** What the API document says of it. */
export const ignoredFieldsHeader = {
  [IGNORED_FIELDS]:
    'Fields of the body that nothing reads, by their path, percent-encoded: perhaps misspelt. Absent when there are none.',
};

/** What an answer with `success` says of it. */
export const ignoredFieldsPart = {
  ignored_fields: Type.Optional(
    described(
      Type.Array(Type.String()),
      'The first fields of the body that nothing reads, by their path, percent-encoded: perhaps misspelt. Absent when there are none.',
      ['config.temprature'],
    ),
  ),
};

/** More are not named: clients and proxies refuse an answer whose headers are too long. */
const MAX_NAMED = 20;
const MAX_HEADER_CHARS = 4_096;
const MAX_CHARS = 100;

/**
 * The paths of the fields of a body that its schema does not know, those of its sections and of the objects in its lists
 * included: of each field the first occurrence. It looks no further than what is named.
 */
export function ignoredFields(schema: object, value: unknown): string[] {
  const found = new Map<string, string>();
  collect({ schema, value, path: '', kind: '' }, found);
  return [...found.values()];
}

interface Part {
  readonly schema: object;
  readonly value: unknown;
  /** With the numbers of items: `messages.3.`. */
  readonly path: string;
  /** Without them, so that a thousand messages with one unknown field name it once. */
  readonly kind: string;
}

function collect({ schema, value, path, kind }: Part, found: Map<string, string>): void {
  const { properties, items } = schema as { readonly properties?: unknown; readonly items?: unknown };
  if (Array.isArray(value)) {
    if (!isJsonObject(items)) return;
    for (const [index, item] of value.entries()) {
      if (typeof item !== 'object') continue;
      collect({ schema: items, value: item, path: `${path}${index}.`, kind: `${kind}*.` }, found);
    }
    return;
  }
  if (!isJsonObject(value) || !isJsonObject(properties)) return;
  for (const name of Object.keys(value)) {
    if (found.size >= MAX_NAMED) return;
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (isJsonObject(known)) {
      const inner = value[name];
      if (typeof inner !== 'object') continue;
      // names that schemas know need no encoding
      collect({ schema: known, value: inner, path: `${path}${name}.`, kind: `${kind}${name}.` }, found);
      continue;
    }
    const part = pathPart(name);
    if (!found.has(kind + part)) found.set(kind + part, path + part);
  }
}

/** The first of the paths: as many as the header has room for. */
export function namedInHeader(paths: readonly string[]): string {
  let length = 0;
  const fits = (path: string): boolean => (length += path.length + SEPARATOR.length) <= MAX_HEADER_CHARS;
  const overlong = paths.findIndex((path) => !fits(path));
  const room = overlong === -1 ? MAX_NAMED : Math.min(overlong, MAX_NAMED);
  return paths.slice(0, room).join(SEPARATOR);
}

const SEPARATOR = ', ';

/** The beginning of a text, without halves of characters: they have no code in UTF-8. */
const wellFormed = (text: string): string =>
  [...text]
    .slice(0, MAX_CHARS)
    .join('')
    .replaceAll(/\p{Cs}/gu, '\u{FFFD}');

declare module 'fastify' {
  interface FastifyRequest {
    /** Fields of its body that nothing reads; undefined where it has none, or takes no body. */
    ignoredFields: readonly string[] | undefined;
  }
}

/**
 * Notes the fields of a body that nothing reads, for `nameIgnoredFields`, and lets every request pass. A guard knows both the
 * request and what its handler takes; an interceptor would, too, and cost each request an observable.
 */
@Injectable()
export class NoteIgnoredFields implements CanActivate {
  /** By handler: what it takes does not change, and is asked with every request. */
  private readonly bodies = new Map<object, RequestClass | undefined>();

  canActivate(context: ExecutionContext): true {
    const shape = this.bodyOf(context);
    if (shape) {
      const request = context.switchToHttp().getRequest<FastifyRequest>();
      request.ignoredFields = ignoredFields(shape.schema, request.body);
    }
    return true;
  }

  private bodyOf(context: ExecutionContext): RequestClass | undefined {
    const handler = context.getHandler();
    if (!this.bodies.has(handler)) {
      this.bodies.set(handler, argumentsOf(context.getClass<object>(), handler.name).body);
    }
    return this.bodies.get(handler);
  }
}

/**
 * Names the fields that nothing reads, those that the answer names already included, in a header of every answer that is no
 * refusal, and in its `ignored_fields` where it says `success`.
 */
export function nameIgnoredFields(server: FastifyInstance): void {
  server.decorateRequest('ignoredFields', undefined);
  server.addHook('preSerialization', (request, reply, payload, done) => {
    done(null, reply.statusCode < 400 ? naming(payload, request) : payload);
  });
  server.addHook('onSend', ({ ignoredFields: ignored = [] }, reply, payload, done) => {
    if (ignored.length > 0 && reply.statusCode < 400)
      void reply.header(IGNORED_FIELDS, namedInHeader(ignored));
    done(null, payload);
  });
}

/** Adds the fields of the body to those that the answer names itself. */
function naming(answer: unknown, request: FastifyRequest): unknown {
  if (!isJsonObject(answer)) return answer;
  const ofAnswer = answer['ignored_fields'];
  const ignored = [
    ...(request.ignoredFields ?? []),
    ...(Array.isArray(ofAnswer) ? ofAnswer.map(String) : []),
  ];
  request.ignoredFields = ignored;
  if (ignored.length === 0 || !('success' in answer)) return answer;
  return { ...answer, ignored_fields: ignored.slice(0, MAX_NAMED) };
}

/** The name of a field as a part of a path. */
export const pathPart = (name: string): string => encodeURIComponent(wellFormed(name));
