import { type ObjectSchema, readOrRefuse } from '@loci/platform/schema';
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { type WireLimits } from './wire-limits.js';

/** A class that has the schema of its instances: Nest tells the parameters of a handler by their classes. */
export interface RequestClass<Shape extends object = object, Schema extends ObjectSchema = ObjectSchema> {
  /** What the API document calls it. */
  readonly title: string;
  readonly schema: Schema;
  new (): Shape;
}

/**
 * The class of what a request carries, or of a part of it. `...Other.schema.properties` takes over the fields of another.
 */
export function request<Properties extends TProperties>(
  title: string,
  properties: Properties,
): RequestClass<Static<TObject<Properties>>, TObject<Properties>> {
  // the class only names the shape: what is read are plain objects
  const shape = class {} as new () => Static<TObject<Properties>>;
  return Object.assign(shape, { title, schema: Type.Object(properties, { title }) });
}

/** What of a request is read. */
export type RequestPart = 'body' | 'query' | 'header' | 'arguments';

export interface ReadOptions {
  readonly from: RequestPart;
  readonly limits: WireLimits;
  /** Of a body that is read line by line: which one, from 1. */
  readonly line?: number;
}

/** As `readRequest`, for a body. */
export const readBody = <Shape extends object>(
  shape: RequestClass<Shape>,
  body: unknown,
  limits: WireLimits,
): Shape => readRequest(shape, body, { from: 'body', limits });

/**
 * Reads one part of a request.
 * @param value parsed; undefined when there was none
 * @throws AppError `invalid_request` with every problem
 */
export const readRequest = <Shape extends object>(
  { schema }: RequestClass<Shape>,
  value: unknown,
  { from, limits, line }: ReadOptions,
): Shape =>
  // `request` made the class of this schema
  readOrRefuse(schema, value, { limits, path: line === undefined ? [from] : [from, line] }) as Shape;
