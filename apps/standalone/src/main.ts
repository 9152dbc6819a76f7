import { fileURLToPath } from 'node:url';
import { PROCESS_TABLE } from './process-table.js';
import { runStandalone } from './run-standalone.js';
import { usageFor } from './usage.js';

const usage = usageFor(process.argv.slice(2));
if (usage) {
  (usage.isWanted ? process.stdout : process.stderr).write(usage.text);
  process.exit(usage.isWanted ? 0 : 1);
}

const appsFolder = fileURLToPath(new URL('../..', import.meta.url));

process.exit(await runStandalone({ table: PROCESS_TABLE, appsFolder }));
