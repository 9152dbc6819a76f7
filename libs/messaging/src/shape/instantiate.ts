import { type Shape } from '@loci/contracts';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';

/**
 * Turns parsed JSON into instances where a class says so with `@Type`, and leaves everything else as it is.
 *
 * Not `plainToInstance`, because it walks into plain records too: there it drops the keys `toString` or `valueOf` and
 * throws on a key `constructor`, and metadata of clients may have any key.
 */
export function instantiate(shape: Shape<object>, plain: unknown): unknown {
  if (Array.isArray(plain)) return plain.map((item) => instantiate(shape, item));
  if (typeof plain !== 'object' || plain === null) return plain;
  const instance = new shape();
  for (const [key, value] of Object.entries(plain)) {
    if (key in Object.prototype) continue;
    const type = defaultMetadataStorage.findTypeMetadata(shape, key)?.typeFunction();
    Reflect.set(instance, key, type ? instantiate(type, value) : value);
  }
  return instance;
}
