import { fileURLToPath } from 'node:url';
import { PROCESS_TABLE } from './process-table.js';
import { runStandalone } from './run-standalone.js';

const appsFolder = fileURLToPath(new URL('../..', import.meta.url));

process.exit(await runStandalone({ table: PROCESS_TABLE, appsFolder }));
