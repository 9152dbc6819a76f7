import { Type, type TSchema } from 'typebox';
import { limitOf, type Limits, ruled, rulesOf } from './rules.js';
import { Unreadable } from './unreadable.js';

/** A schema as it is checked: plain JSON Schema with the limits of one deployment. */
export interface BoundSchema extends TSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, BoundSchema>>;
  readonly required?: readonly string[];
  readonly items?: BoundSchema;
  readonly additionalProperties?: BoundSchema | boolean;
  readonly propertyNames?: BoundSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly default?: unknown;
  readonly '~refine'?: readonly Refinement[];
}

interface Refinement {
  readonly check: (value: unknown) => boolean;
  readonly error: (value: unknown) => string;
}

/** @throws Error for a limit that there is not */
export function bind(schema: TSchema, limits: Limits): BoundSchema {
  const rules = rulesOf(schema);
  const keywords = rules.parse ? READABLE : keywordsOf(schema, limits);
  return ruled({ ...keywords, ...('default' in schema && { default: schema.default }) }, rules);
}

/** What was read is not checked again. */
const READABLE: BoundSchema = {
  '~refine': [{ check: (value) => !(value instanceof Unreadable), error: () => 'unreadable' }],
};

function keywordsOf(schema: BoundSchema, limits: Limits): BoundSchema {
  const { properties, items, additionalProperties, propertyNames, '~refine': refine } = schema;
  const bound = (part: TSchema): BoundSchema => bind(part, limits);
  return {
    ...schema,
    ...numbersOf(schema, limits),
    ...(properties && { properties: mapValues(properties, bound), required: requiredOf(properties) }),
    ...(items && { items: bound(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: bound(additionalProperties) }),
    ...(propertyNames && { propertyNames: bound(propertyNames) }),
    ...(refine && { '~refine': refine }),
  };
}

/** The keywords of a schema that the deployment sets. */
export const numbersOf = (schema: TSchema, limits: Limits): Record<string, number> =>
  mapValues(rulesOf(schema).limits ?? {}, (name) => limitOf(limits, name));

/** The fields that clients have to send. */
export const requiredOf = (properties: Readonly<Record<string, TSchema>>): string[] =>
  Object.entries(properties)
    .filter(([, field]) => !Type.IsOptional(field) && !('default' in field))
    .map(([name]) => name);

const mapValues = <From, To>(
  values: Readonly<Record<string, From>>,
  map: (value: From) => To,
): Record<string, To> => Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
