import { invalid } from '@loci/contracts';
import { isJsonObject } from './collections.js';
import { type JsonSchema, orNull, type SchemaContext } from './json-schema.js';
import { Place, type Reader, reader, type RequestPart } from './place.js';
import { type WireLimits } from './wire-limits.js';

/** A class whose fields are declared with `Wire`. */
export type WireShape<T extends object> = new () => T;

/** What stands for a field that a request leaves out. Without `default` and `optional` it has to be there. */
export type Presence<Default> = {
  /** Whether null means the same as leaving the field out; otherwise it is a value of the wrong type. */
  readonly nullable?: true;
} & ({ readonly default: Default } | { readonly optional: true });

interface Field {
  readonly name: string;
  readonly read: Reader<unknown>;
  readonly presence?: Presence<unknown>;
}

type Declares<Value> = <Target extends object, Name extends string & keyof Target>(
  target: Target,
  name: Name & ([Value] extends [Target[Name]] ? unknown : never),
) => void;

const DECLARED = new WeakMap<object, Field[]>();
const COMPLETE = new WeakMap<object, readonly Field[]>();

/**
 * Declares a field of a request: how its value is read, and what it is when it is not there. The compiler checks that
 * the property can hold what the reader gives.
 */
export function Wire<Value>(
  read: Reader<Value>,
  presence?: { readonly default: NoInfer<Value>; readonly nullable?: true },
): Declares<Value>;
export function Wire<Value>(
  read: Reader<Value>,
  presence: { readonly optional: true; readonly nullable?: true },
): Declares<Value | undefined>;
export function Wire(read: Reader<unknown>, presence?: Presence<unknown>): Declares<never> {
  return (prototype, name) => {
    const declared = DECLARED.get(prototype) ?? [];
    declared.push({ name, read, ...(presence && { presence }) });
    DECLARED.set(prototype, declared);
  };
}

/** Reads an object into an instance of a class whose fields are declared with `Wire`. Unknown fields are dropped. */
export const objectOf = <T extends object>(shape: WireShape<T>): Reader<T> =>
  reader(
    (context) => describeShape(shape, context),
    (value, place) => {
      if (isJsonObject(value)) {
        const instance = new shape();
        for (const field of fieldsOf(shape))
          Reflect.set(instance, field.name, readField(field, value, place));
        return instance;
      }
      return place.refuse(
        'model_attributes_type',
        'Input should be a valid dictionary or object to extract fields from',
      );
    },
  );

/** The schema of what `objectOf` reads: `AddMemoriesBody` is published as `AddMemoriesSpec`. */
export const describeShape = (shape: WireShape<object>, context: SchemaContext): JsonSchema =>
  context.named(publicName(shape), () => ({ type: 'object', ...describeFields(shape, context) }), shape);

/** What a shape is called in the document. */
export const publicName = (shape: WireShape<object>): string => shape.name.replace(/Body$/, 'Spec');

export interface FieldDescriptions {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

/** The schemas of the fields that a shape declares. */
export function describeFields(shape: WireShape<object>, context: SchemaContext): FieldDescriptions {
  const fields = fieldsOf(shape);
  return {
    properties: Object.fromEntries(fields.map((field) => [field.name, describeField(field, context)])),
    required: fields.filter(({ presence }) => !presence).map(({ name }) => name),
  };
}

function describeField({ read, presence }: Field, context: SchemaContext): JsonSchema {
  const schema = presence?.nullable ? orNull(read.describe(context)) : read.describe(context);
  return presence && 'default' in presence ? { ...schema, default: presence.default } : schema;
}

export interface ReadOptions {
  readonly from: RequestPart;
  readonly limits: WireLimits;
  /** Of a body that is read line by line: which one, from 1. */
  readonly line?: number;
}

/** As `readRequest`, for a body. */
export const readBody = <T extends object>(shape: WireShape<T>, body: unknown, limits: WireLimits): T =>
  readRequest(shape, body, { from: 'body', limits });

/**
 * Reads one part of a request.
 * @param value parsed; undefined when there was none
 * @throws AppError `invalid_request` with every problem
 */
export function readRequest<T extends object>(
  shape: WireShape<T>,
  value: unknown,
  { from, limits, line }: ReadOptions,
): T {
  const root = Place.root(from, limits);
  const place = line === undefined ? root : root.at(line);
  const read =
    value === undefined ? place.refuse('missing', 'Field required') : objectOf(shape)(value, place);
  const [first, ...rest] = place.problems;
  if (first) throw invalid('invalid_request', [first, ...rest]);
  return read as T;
}

function readField(
  { name, read, presence }: Field,
  object: Readonly<Record<string, unknown>>,
  place: Place,
): unknown {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  const isAbsent = value === undefined || (value === null && presence?.nullable === true);
  if (!isAbsent) return read(value, place.at(name));
  if (!presence) return place.at(name).refuse('missing', 'Field required');
  return 'default' in presence ? presence.default : undefined;
}

/** Inherited fields first. */
function fieldsOf(shape: WireShape<object>): readonly Field[] {
  const known = COMPLETE.get(shape);
  if (known) return known;
  const fields: Field[] = [];
  for (
    let level: object | null = shape.prototype as object;
    level;
    level = Object.getPrototypeOf(level) as object | null
  ) {
    fields.unshift(...(DECLARED.get(level) ?? []));
  }
  COMPLETE.set(shape, fields);
  return fields;
}
