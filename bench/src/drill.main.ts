import 'reflect-metadata';
import { LiveTable } from './drill/live-table.js';
import { type DrillOptions, readOptions, USAGE } from './drill/options.js';
import { ScaleDrill } from './drill/scale-drill.js';

/** The drill itself could not be done, which says nothing about the product. */
const NOT_DONE = 2;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function main(): Promise<number> {
  const options = optionsOrUsage();
  if (typeof options === 'number') return options;
  const table = new LiveTable(process.stdout);
  const problems = await ScaleDrill.run(options, table).finally(() => table.end());
  if (problems.length === 0) {
    say('Every acknowledged message is there once, and was ingested once.');
    return 0;
  }
  say(`Broken promises:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
  return 1;
}

/** @returns an exit code when there is nothing to run */
function optionsOrUsage(): DrillOptions | number {
  try {
    const options = readOptions(process.argv.slice(2));
    if (!options) say(USAGE);
    return options ?? 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return NOT_DONE;
  }
}

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(
    `The drill could not be done: ${error instanceof Error ? error.stack : String(error)}\n`,
  );
  return NOT_DONE;
});
