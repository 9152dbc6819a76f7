import { secretKeysOf, unknownKeysOf } from '../resources/parse-resource-config.js';
import { type ResourceDefinition } from '../resource-definition.js';
import { isReference } from './references.js';
import { isSealed, type SecretBox, SecretError } from './secret-box.js';
import { type SecretContext } from './secret-context.js';

type Config = ResourceDefinition['config'];

/** The configuration as a client gave it, as it is stored: secrets and what may hold some sealed, references as they are. */
export function sealConfig(definition: ResourceDefinition, box: SecretBox): Config {
  const seal = (value: string, context: SecretContext): string =>
    isReference(value) || isOurs(value, context, box) ? value : box.seal(value, context);
  return mapExtras({ ...definition, config: mapSecrets(definition, seal) }, (value, context) =>
    isOurs(value, context, box) ? value : box.seal(value, context),
  );
}

/** The stored configuration under the current key of the box, also what was stored before it was sealed. @throws SecretError */
export function resealConfig(definition: ResourceDefinition, box: SecretBox): Config {
  const reseal = (value: string, context: SecretContext): string =>
    isSealed(value) ? box.reseal(value, context) : value;
  return mapExtras({ ...definition, config: mapSecrets(definition, reseal) }, (value, context) => {
    if (isSealed(value)) return isOurs(value, context, box) ? box.reseal(value, context) : value;
    return box.seal(value, context);
  });
}

/** The configuration as people may see it: references as they are, everything else that is sealed masked. */
export function maskConfig(definition: ResourceDefinition, mask: string): Config {
  const masked = mapSecrets(definition, (value) => (isReference(value) && !isSealed(value) ? value : mask));
  return mapExtras({ ...definition, config: masked }, () => mask);
}

/** What was sealed for this very field; anything that only looks so is in clear. */
function isOurs(value: string, context: SecretContext, box: SecretBox): boolean {
  if (!isSealed(value)) return false;
  try {
    box.open(value, context);
    return true;
  } catch (error) {
    if (error instanceof SecretError) return false;
    throw error;
  }
}

/** What a misspelt key of a secret is called, such as `api_keys`. Unknown keys are kept, but not in clear. */
const SECRET_NAME = /(?:key|secret|token|password|credential)s?$/i;

/** Applies a change to each secret that is there and not empty. */
export function mapSecrets(
  { kind, name, provider, config }: ResourceDefinition,
  change: (value: string, context: SecretContext) => string,
): Config {
  const fields = new Set([
    ...secretKeysOf(kind, provider),
    ...Object.keys(config).filter((key) => SECRET_NAME.test(key)),
  ]);
  const changed = [...fields].flatMap((field): [string, string][] => {
    const value = config[field];
    return typeof value === 'string' && value !== '' ? [[field, change(value, { kind, name, field })]] : [];
  });
  return { ...config, ...Object.fromEntries(changed) };
}

/** Keys that clients write as they know them of the original, and that nothing here reads: no secret is in them. */
const HARMLESS: ReadonlySet<string> = new Set(['metrics_factory_id', 'similarity_metric']);

/** Applies a change to all that the provider does not know and that may hold a secret; what is no text is given as JSON. */
function mapExtras(
  { kind, name, provider, config }: ResourceDefinition,
  change: (value: string, context: SecretContext) => string,
): Config {
  const changed = unknownKeysOf(kind, provider, config).flatMap((field): [string, string][] => {
    const value = config[field];
    if (!mayHoldSecret(field, value)) return [];
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return [[field, change(text, { kind, name, field })]];
  });
  return { ...config, ...Object.fromEntries(changed) };
}

function mayHoldSecret(field: string, value: unknown): boolean {
  if (typeof value === 'string') {
    const isMapped = SECRET_NAME.test(field); // as a secret, by its name
    return value !== '' && !isMapped && !HARMLESS.has(field);
  }
  return typeof value === 'number' || (typeof value === 'object' && value !== null);
}
