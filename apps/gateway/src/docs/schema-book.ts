import { type JsonSchema, type SchemaContext } from '../wire/reading/json-schema.js';
import { type Limit, type WireLimits } from '../wire/reading/wire-limits.js';

/** Keywords whose values are data, not schemas. */
const DATA = new Set(['const', 'default', 'enum', 'examples', 'required']);

const REFERENCE = '#/components/schemas/';

/** The named schemas and responses of one document. Whoever has a name stands in it once and is referred to. */
export class SchemaBook implements SchemaContext {
  readonly schemas: Record<string, JsonSchema> = {};
  readonly responses: Record<string, JsonSchema> = {};

  private readonly owners = new Map<string, object | undefined>();

  constructor(private readonly limits: WireLimits) {}

  readonly limit = (limit: Limit): number => (typeof limit === 'number' ? limit : this.limits[limit]);

  readonly named = (name: string, make: () => JsonSchema, owner?: object): JsonSchema => {
    if (!(name in this.schemas)) {
      this.owners.set(name, owner);
      // stands for itself while it is made, so that a schema may contain itself
      this.schemas[name] = {};
      this.schemas[name] = make();
    }
    if (this.owners.get(name) !== owner) throw new Error(`Two schemas are called ${name}: rename one.`);
    return { $ref: `${REFERENCE}${name}` };
  };

  /** A reference to a response of that name. */
  response(name: string, make: () => JsonSchema): JsonSchema {
    this.responses[name] ??= make();
    return { $ref: `#/components/responses/${name}` };
  }

  /** The schema with every part that has a title moved into the book under that name. */
  collect(schema: JsonSchema): JsonSchema {
    const { title, ...rest } = schema;
    if (typeof title === 'string') return this.named(title, () => this.collectParts(rest));
    return this.collectParts(schema);
  }

  /** What a reference leads to; any other schema is itself. */
  resolve(schema: JsonSchema): JsonSchema {
    const { $ref: reference, ...rest } = schema;
    if (typeof reference !== 'string') return schema;
    return { ...this.schemas[reference.slice(REFERENCE.length)], ...rest };
  }

  private collectParts(schema: JsonSchema): JsonSchema {
    const parts = Object.entries(schema).map(([keyword, part]) => [
      keyword,
      DATA.has(keyword) ? part : this.collectIn(part),
    ]);
    return Object.fromEntries(parts) as JsonSchema;
  }

  private collectIn(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.collectIn(item));
    return typeof value === 'object' && value !== null ? this.collect(value as JsonSchema) : value;
  }
}
