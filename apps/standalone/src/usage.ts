const SETTINGS = [
  ['PORT', '8080', 'where clients reach it'],
  ['HOST', '127.0.0.1', 'address to listen on; on any but loopback callers need a key'],
  ['AUTH', 'auto', 'whether callers need a key: on, off or auto'],
  ['LOCI_DATA_DIR', './.loci', 'the folder of everything that is kept'],
  ['LOCI_RESTORE', '', 'the folder of a backup, put into a data folder without data'],
  ['LOCI_LOG_LEVEL', 'warn', 'debug, info, warn, error or silent'],
] as const;

const USAGE = `Usage: npm start

Starts NATS, PostgreSQL, Qdrant and all services of Loci, and stops them on Ctrl-C. It takes no arguments; settings are
environment variables, as in PORT=9000 npm start:

${SETTINGS.map(([name, value, meaning]) => `  ${name.padEnd(16)}${value.padEnd(12)}${meaning}`).join('\n')}

All of them are in apps/standalone/README.md, those of the services in docs/operations.md.
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
    text: `Loci did not start: it takes no arguments, such as "${first}".\n\n${USAGE}`,
    isWanted: false,
  };
}
