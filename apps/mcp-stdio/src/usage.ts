import { DEFAULT_URL } from './settings.js';

const SETTINGS = [
  ['LOCI_URL', DEFAULT_URL, 'where Loci is, without /mcp'],
  ['LOCI_API_KEY', 'none', 'the key, if Loci asks for one'],
  ['MM_ORG_ID', 'none', 'the organization that the tools act for'],
  ['MM_PROJ_ID', 'none', 'their project'],
  ['MM_USER_ID', 'none', 'their user'],
] as const;

const USAGE = `Usage: loci-mcp

Serves the MCP server of a running Loci on standard input and output; MCP clients start it by themselves. It takes no
arguments; settings are environment variables:

${SETTINGS.map(([name, value, meaning]) => `  ${name.padEnd(14)}${value.padEnd(23)}${meaning}`).join('\n')}
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
    text: `loci-mcp did not start: it takes no arguments, such as "${first}"; --help says what there is to set.\n`,
    isWanted: false,
  };
}
