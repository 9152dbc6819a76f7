export const DEFAULT_PORT = 11_500;

const SETTINGS = [
  ['FAKE_MODELS_PORT', String(DEFAULT_PORT), 'where models are reached'],
  ['FAKE_MODELS_HOST', '127.0.0.1', 'address to listen on'],
  ['LOCI_URL', 'http://localhost:8080', 'where Loci is, in the command that is shown'],
] as const;

const USAGE = `Usage: npm run fake-models

Starts stand-ins for all model providers, says how to register one, and stops on Ctrl-C. It takes no arguments; settings are
environment variables, as in FAKE_MODELS_PORT=9000 npm run fake-models:

${SETTINGS.map(([name, value, meaning]) => `  ${name.padEnd(18)}${value.padEnd(23)}${meaning}`).join('\n')}
`;

/** What is said instead of a start. */
export interface Usage {
  readonly text: string;
  /** Whether that was asked for. */
  readonly isWanted: boolean;
}

/** @param args of the command line @returns undefined when there are none */
export function usageFor([first]: readonly string[]): Usage | undefined {
  if (first === undefined) return undefined;
  if (first === '--help' || first === '-h') return { text: USAGE, isWanted: true };
  return {
    text: `The stand-in models did not start: they take no arguments, such as "${first}"; --help says what there is to set.\n`,
    isWanted: false,
  };
}
