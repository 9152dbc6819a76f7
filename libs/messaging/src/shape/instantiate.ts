import { type Shape } from '@loci/contracts';
import { fieldsOf } from './fields.js';

/**
 * Turns parsed JSON into instances where a class says so with `@Type`, and leaves everything else as it is. Of an object it
 * takes the fields that its class has rules for.
 *
 * Not `plainToInstance`, because it walks into plain records too: there it drops the keys `toString` or `valueOf` and
 * throws on a key `constructor`, and metadata of clients may have any key.
 */
export function instantiate(shape: Shape<object>, plain: unknown): unknown {
  if (Array.isArray(plain)) return plain.map((item) => instantiate(shape, item));
  if (typeof plain !== 'object' || plain === null) return plain;
  const instance = new shape();
  const fields = fieldsOf(shape);
  for (const [key, value] of Object.entries(plain)) {
    const field = fields.get(key);
    if (field) Reflect.set(instance, key, field.type ? instantiate(field.type, value) : value);
  }
  return instance;
}
