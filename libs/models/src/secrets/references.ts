/** `$NAME` or `${NAME}`, anywhere in a text. */
const REFERENCE = /\$(?:\{(?<braced>[A-Za-z_]\w*)\}|(?<bare>[A-Za-z_]\w*))/g;

export type Environment = Readonly<Record<string, string | undefined>>;

/** A reference names a variable that is not set; the message names it too. */
export class UnsetVariableError extends Error {
  override readonly name = 'UnsetVariableError';

  constructor(readonly variable: string) {
    super(
      `The environment variable ${variable} is not set; set it for every service or enter the value itself.`,
    );
  }
}

/** Whether the text names an environment variable, be it only in a part of it. */
export const isReference = (text: string): boolean => text.search(REFERENCE) >= 0;

/** The text with every reference replaced. @throws UnsetVariableError also when the variable is empty */
export function resolveReferences(text: string, environment: Environment): string {
  return text.replace(REFERENCE, (_, braced?: string, bare?: string) => {
    const variable = braced ?? bare ?? '';
    const value = environment[variable];
    if (value === undefined || value === '') throw new UnsetVariableError(variable);
    return value;
  });
}
