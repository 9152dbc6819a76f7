import { described, isJsonObject } from '@loci/platform/schema';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { Type } from 'typebox';
import { type RequestClass } from '../wire/schema/request.js';

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

/** The paths of the fields of an object that its schema does not know, those of its sections included. */
export function ignoredFields(schema: object, value: unknown, prefix = ''): string[] {
  const properties: unknown = Reflect.get(schema, 'properties');
  if (!isJsonObject(value) || !isJsonObject(properties)) return [];
  return Object.entries(value).flatMap(([name, given]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const path = `${prefix}${pathPart(name)}`;
    return isJsonObject(known) ? ignoredFields(known, given, `${path}.`) : [path];
  });
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

/** Names the fields of a body that nothing reads, in a header of the answer, and in its `ignored_fields` where it says `success`. */
@Injectable()
export class NameIgnoredFields implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const shape = bodyOf(context);
    const http = context.switchToHttp();
    const { body } = http.getRequest<FastifyRequest>();
    const ignored = shape ? ignoredFields(shape.schema, body) : [];
    const reply = http.getResponse<FastifyReply>();
    return next.handle().pipe(map((answer: unknown) => naming(answer, ignored, reply)));
  }
}

/** Adds the fields to those that the answer names already, and to its headers. */
function naming(answer: unknown, ofBody: readonly string[], reply: FastifyReply): unknown {
  const named = isJsonObject(answer) ? answer['ignored_fields'] : undefined;
  const ignored = [...ofBody, ...(Array.isArray(named) ? named.map(String) : [])];
  if (ignored.length === 0) return answer;
  void reply.header(IGNORED_FIELDS, namedInHeader(ignored));
  const hasRoom = isJsonObject(answer) && 'success' in answer;
  return hasRoom ? { ...answer, ignored_fields: ignored.slice(0, MAX_NAMED) } : answer;
}

/** The name of a field as a part of a path. */
export const pathPart = (name: string): string => encodeURIComponent(wellFormed(name));

/** The class of the body of a handler: the one of its parameters that has a schema. */
function bodyOf(context: ExecutionContext): RequestClass | undefined {
  const { prototype } = context.getClass<object>() as { prototype: object };
  const types = (Reflect.getMetadata('design:paramtypes', prototype, context.getHandler().name) ??
    []) as unknown[];
  return types.find(
    (type): type is RequestClass => typeof type === 'function' && 'schema' in type && 'title' in type,
  );
}
