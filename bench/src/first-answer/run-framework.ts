import { type FakeModels } from '@loci/testing';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { type Framework, programOf } from './frameworks.js';

const run = promisify(execFile);

const COMMANDS = {
  bash: ['bash', '-euo', 'pipefail', '-c'],
  python: ['python3', '-c'],
  ts: [process.execPath, '--input-type=module', '-e'],
} as const;

/** What fails where the machine has not what a language needs. */
const NEEDED = {
  bash: ['curl', '--version'],
  python: ['python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 10))'],
  ts: [process.execPath, '--version'],
} as const;

export const isOnThisMachine = ({ language }: Framework): Promise<boolean> =>
  start(NEEDED[language]).then(
    () => true,
    () => false,
  );

/**
 * Runs what the document shows in a process of its own, for an organization of its own.
 * @returns seconds until it has ended
 * @throws Error unless what was stored first is seen in the answer
 */
export async function secondsOf(framework: Framework, url: string, models: FakeModels): Promise<number> {
  const program = programOf(framework)
    .replaceAll(/http:\/\/(127\.0\.0\.1|localhost):8080/g, url)
    .replaceAll('https://api.openai.com/v1', models.openAiUrl)
    .replaceAll(/(['"])acme\1/g, `$1${randomUUID()}$1`);
  models.reset();
  const begunMs = performance.now();
  const output = await start([...COMMANDS[framework.language], program]);
  const seconds = (performance.now() - begunMs) / 1_000;
  const seen = { output, prompt: JSON.stringify(models.calls().at(-1)?.body ?? '') }[framework.seenIn];
  if (!seen.includes(framework.remembered)) {
    throw new Error(`${framework.name} remembers nothing: ${seen}`);
  }
  return seconds;
}

async function start([command, ...given]: readonly [string, ...string[]]): Promise<string> {
  const env = { ...process.env, PYTHONPATH: 'clients/python/src', PYTHONDONTWRITEBYTECODE: '1' };
  return (await run(command, given, { env })).stdout;
}
