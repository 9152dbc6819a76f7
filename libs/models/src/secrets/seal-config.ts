import { secretKeysOf } from '../resources/parse-resource-config.js';
import { type ResourceDefinition } from '../resource-definition.js';
import { isSealed, type SecretBox } from './secret-box.js';
import { type SecretContext } from './secret-context.js';

type Config = ResourceDefinition['config'];

/** The stored configuration under the current key of the box. @throws SecretError */
export const resealConfig = (definition: ResourceDefinition, box: SecretBox): Config =>
  mapSecrets(definition, (value, context) => (isSealed(value) ? box.reseal(value, context) : value));

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
