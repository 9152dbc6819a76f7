import { KeyRing, SecretBox } from '@loci/models';
import { SettingsError } from '@loci/platform';

/**
 * What opens and seals the secrets of resources.
 * @param keys as in `LOCI_SECRET_KEYS`: `id:base64key[,id:base64key...]`, each key 32 bytes, the first the current one
 * @throws SettingsError that says what is wrong with the keys, without a key
 */
export function secretBoxOf(keys: string): SecretBox {
  try {
    return new SecretBox(KeyRing.parse(keys));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingsError(`LOCI_SECRET_KEYS does not fit: ${reason}`, { cause: error });
  }
}
