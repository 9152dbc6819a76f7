/** `$NAME` or `${NAME}`, anywhere in a text. */
const REFERENCE = /\$(?:\{(?<braced>[A-Za-z_]\w*)\}|(?<bare>[A-Za-z_]\w*))/g;

/** What the names of variables begin with that credentials of models may refer to, unless the operator says otherwise. */
export const DEFAULT_SECRET_PREFIX = 'LOCI_MODEL_SECRET_';

/** Never for a provider, whatever the prefix is. */
const OWN_SECRETS: ReadonlySet<string> = new Set([
  'LOCI_SECRET_KEYS',
  'LOCI_ADMIN_KEY',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'NATS_URL',
  'QDRANT_API_KEY',
  'HOSTED_TOKENS',
]);

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where references are resolved, and which of them may be. */
export interface References {
  readonly environment: Environment;
  /** What the name of a variable has to begin with: a model goes to an address that the client chooses. */
  readonly prefix: string;
}

/** A reference that cannot be resolved; the message names the variable and says what to do. */
export class UnresolvedReferenceError extends Error {
  override readonly name = 'UnresolvedReferenceError';
}

/** Whether the text names an environment variable, be it only in a part of it. */
export const isReference = (text: string): boolean => text.search(REFERENCE) >= 0;

/** Why a text must not be resolved: it names a variable that is not for models. Undefined when there is no reason. */
export function forbiddenReference(text: string, prefix: string): string | undefined {
  const forbidden = [...text.matchAll(REFERENCE)]
    .map(({ groups }) => groups?.['braced'] ?? groups?.['bare'] ?? '')
    .find((variable) => !variable.startsWith(prefix) || OWN_SECRETS.has(variable));
  if (forbidden === undefined) return undefined;
  return `The environment variable ${forbidden} may not be used here: only variables whose names begin with ${prefix} may.`;
}

/** The text with every reference replaced. @throws UnresolvedReferenceError also when a variable is empty */
export function resolveReferences(text: string, { environment, prefix }: References): string {
  const forbidden = forbiddenReference(text, prefix);
  if (forbidden !== undefined) throw new UnresolvedReferenceError(forbidden);
  return text.replace(REFERENCE, (_, braced?: string, bare?: string) => {
    const variable = braced ?? bare ?? '';
    const value = environment[variable];
    if (value !== undefined && value !== '') return value;
    throw new UnresolvedReferenceError(
      `The environment variable ${variable} is not set; set it for every service or enter the value itself.`,
    );
  });
}
