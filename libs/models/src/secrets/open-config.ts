import { type ObjectSchema, read } from '@loci/platform/schema';
import { type Static } from 'typebox';
import { ProviderFailure } from '../calls/provider-failure.js';
import { isReference, type References, resolveReferences, UnresolvedReferenceError } from './references.js';
import { mapSecrets } from './seal-config.js';
import { isSealed, type SecretBox, SecretError } from './secret-box.js';
import { type SecretContext } from './secret-context.js';
import { type ResourceDefinition } from '../resource-definition.js';

interface Keys {
  readonly references: References;
  readonly secretBox: SecretBox;
}

/**
 * The settings of a definition with its secrets in clear, for the client of the provider alone.
 * @throws ProviderFailure `misconfigured`: a variable that is not set or not for models, a secret that can't be read, a wrong value
 */
export function openConfig<Schema extends ObjectSchema>(
  definition: ResourceDefinition,
  schema: Schema,
  keys: Keys,
): Static<Schema> {
  const config = mapSecrets(definition, (value, context) => openSecret(value, context, keys));
  const outcome = read(schema, config, { path: ['config'] });
  if ('value' in outcome) return outcome.value;
  const [{ loc, msg }] = outcome.problems;
  throw misconfigured(`${String(loc.at(-1))}: ${msg}`);
}

/** The secrets of a definition in clear, as far as they can be opened: what must not be shown. */
export function secretsOf(definition: ResourceDefinition, keys: Keys): string[] {
  const secrets: string[] = [];
  mapSecrets(definition, (value, context) => {
    try {
      secrets.push(openSecret(value, context, keys));
    } catch {
      // what can't be opened can't be shown either
    }
    return value;
  });
  return secrets;
}

function openSecret(value: string, context: SecretContext, { references, secretBox }: Keys): string {
  try {
    if (isSealed(value)) return secretBox.open(value, context);
    return isReference(value) ? resolveReferences(value, references) : value;
  } catch (error) {
    if (error instanceof UnresolvedReferenceError || error instanceof SecretError)
      throw misconfigured(error.message);
    throw error;
  }
}

const misconfigured = (message: string): ProviderFailure =>
  new ProviderFailure('misconfigured', `can't be used: ${message.replace(/\.$/, '')}`);
