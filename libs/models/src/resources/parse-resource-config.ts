import { invalid, type Problem, type ResourceKind } from '@loci/contracts';
import { isJsonObject, type JsonObject, read } from '@loci/platform/schema';
import { canonicalProvider, PROVIDER_SCHEMAS } from './provider-schemas.js';
import { effortProblem } from '../bedrock/reasoning-fields.js';
import { dialledBase } from '../egress/http-address.js';
import { isAddress, isSecret } from '../settings/settings-schema.js';

export interface ParsedResourceConfig {
  /** Canonical, never an alias. */
  readonly provider: string;
  /** As given, with the defaults filled in; unknown keys are kept. Secrets are as the client wrote them. */
  readonly config: JsonObject;
}

/**
 * Checks a configuration as a client gave it.
 * @throws AppError `invalid_request` with every problem, `loc` as in `["body","config","model"]`
 */
export function parseResourceConfig(
  kind: ResourceKind,
  givenProvider: unknown,
  givenConfig: unknown,
): ParsedResourceConfig {
  const provider = typeof givenProvider === 'string' ? canonicalProvider(kind, givenProvider) : undefined;
  const schema = provider === undefined ? undefined : PROVIDER_SCHEMAS[kind][provider];
  if (provider === undefined || !schema) throw invalid('invalid_request', [unknownProvider(kind)]);
  if (!isJsonObject(givenConfig)) throw invalid('invalid_request', [noConfig]);
  const outcome = read(schema, givenConfig, { path: ['body', 'config'] });
  if ('problems' in outcome) throw invalid('invalid_request', outcome.problems);
  const problem =
    provider === 'amazon-bedrock' && kind === 'language_model'
      ? effortProblem(givenConfig)
      : emptyKeyProblem(kind, provider, givenConfig);
  if (problem) throw invalid('invalid_request', [problem]);
  // what an object schema reads is an object
  return { provider, config: { ...givenConfig, ...(outcome.value as JsonObject) } };
}

/** The keys of a provider's configuration that hold secrets. */
export const secretKeysOf = (kind: ResourceKind, provider: string): readonly string[] =>
  Object.entries(PROVIDER_SCHEMAS[kind][provider]?.properties ?? {})
    .filter(([, schema]) => isSecret(schema))
    .map(([key]) => key);

/** The configuration with each address as requests are sent to it, whatever way it was written in. */
export function withDialledAddresses(kind: ResourceKind, provider: string, config: JsonObject): JsonObject {
  const dialled = Object.entries(PROVIDER_SCHEMAS[kind][provider]?.properties ?? {}).flatMap(
    ([key, schema]): [string, string][] => {
      const value = config[key];
      return isAddress(schema) && typeof value === 'string' ? [[key, dialledBase(value)]] : [];
    },
  );
  return { ...config, ...Object.fromEntries(dialled) };
}

/** The keys of a configuration that its provider does not know: they are kept, and nothing reads them. */
export const unknownKeysOf = (kind: ResourceKind, provider: string, config: JsonObject): string[] => {
  const known = PROVIDER_SCHEMAS[kind][provider]?.properties ?? {};
  return Object.keys(config).filter((key) => !Object.hasOwn(known, key));
};

const unknownProvider = (kind: ResourceKind): Problem => ({
  loc: ['body', 'provider'],
  msg: `Input should be ${Object.keys(PROVIDER_SCHEMAS[kind])
    .map((name) => `'${name}'`)
    .join(', ')}`,
  type: 'enum',
});

const noConfig: Problem = {
  loc: ['body', 'config'],
  msg: 'Input should be a valid dictionary',
  type: 'dict_type',
};

/** Servers of one's own often want no key; OpenAI itself always does. */
function emptyKeyProblem(kind: ResourceKind, provider: string, config: JsonObject): Problem | undefined {
  const isOpenAi = provider.startsWith('openai') && (config['base_url'] ?? undefined) === undefined;
  if (!isOpenAi || (config['api_key'] ?? '') !== '') return undefined;
  const isMissing = (config['api_key'] ?? undefined) === undefined && kind === 'embedder';
  return {
    loc: ['body', 'config', 'api_key'],
    msg: isMissing ? 'Field required' : 'The key may be empty only when base_url is given',
    type: isMissing ? 'missing' : 'string_too_short',
  };
}
