import { type Limits, numbersOf, type ObjectSchema, requiredOf, rulesOf } from '@loci/platform/schema';
import { isDeepStrictEqual } from 'node:util';
import { type TSchema, Type } from 'typebox';
import { withExample } from './field-examples.js';
import { type JsonSchema, orNull } from './json-schema.js';

/** Keywords that are not described where they stand. */
const APART = new Set(['title', 'default', 'properties', 'required']);

/** Keywords whose values are data, not schemas. */
const DATA = new Set(['const', 'enum', 'examples']);

const REFERENCE = '#/components/schemas/';

export interface FieldDescriptions {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

/** The schemas and responses of one document. One with a name stands in it once, and is referred to. */
export class SchemaBook {
  readonly schemas: Record<string, JsonSchema> = {};
  readonly responses: Record<string, JsonSchema> = {};

  /** @param limits those that the schemas show */
  constructor(private readonly limits: Limits) {}

  /**
   * The schema of that name.
   * @returns a reference to it
   * @throws Error when another schema has the name
   */
  named(name: string, schema: JsonSchema): JsonSchema {
    const known = this.schemas[name];
    if (known && !isDeepStrictEqual(known, schema)) {
      throw new Error(`Two schemas are called ${name}: rename one.`);
    }
    this.schemas[name] = schema;
    return { $ref: `${REFERENCE}${name}` };
  }

  /** A reference to a response of that name. */
  response(name: string, make: () => JsonSchema): JsonSchema {
    this.responses[name] ??= make();
    return { $ref: `#/components/responses/${name}` };
  }

  /** What documents say of a schema: as clients should send the value, with a reference where it has a title. */
  describe(schema: TSchema): JsonSchema {
    const { title } = schema as JsonSchema;
    const described =
      typeof title === 'string' ? this.named(title, this.describeParts(schema)) : this.describeParts(schema);
    const { nullable, field } = rulesOf(schema);
    const withNull = nullable ? orNull(described) : described;
    return { ...withNull, ...field, ...('default' in schema && { default: schema.default }) };
  }

  /** The fields of an object, and those that clients have to send. */
  describeFields({ properties }: ObjectSchema): FieldDescriptions {
    const described = Object.entries(properties).map(
      ([name, field]) => [name, withExample(name, this.describe(field))] as const,
    );
    return { properties: Object.fromEntries(described), required: requiredOf(properties) };
  }

  private describeParts(schema: TSchema): JsonSchema {
    const keywords = Object.entries({
      ...schema,
      ...numbersOf(schema, this.limits),
      ...rulesOf(schema).published,
    }).filter(([keyword]) => !APART.has(keyword));
    const described = Object.fromEntries(
      keywords.map(([keyword, part]: [string, unknown]) => [keyword, this.describePart(keyword, part)]),
    );
    if (!Type.IsObject(schema)) return described;
    const { properties, required } = this.describeFields(schema);
    return { ...described, properties, ...(required.length > 0 && { required }) };
  }

  /** What a reference leads to; any other schema is itself. */
  resolve(schema: JsonSchema): JsonSchema {
    const { $ref: reference, ...rest } = schema;
    if (typeof reference !== 'string') return schema;
    return { ...this.schemas[reference.slice(REFERENCE.length)], ...rest };
  }

  private describePart(keyword: string, part: unknown): unknown {
    if (DATA.has(keyword) || typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.map((item: TSchema) => this.describe(item));
    if (keyword !== 'patternProperties') return this.describe(part);
    const entries = Object.entries(part).map(([name, schema]: [string, TSchema]) => [
      name,
      this.describe(schema),
    ]);
    return Object.fromEntries(entries);
  }
}
