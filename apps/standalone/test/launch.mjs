// Usage: node --conditions=@loci/source launch.mjs <folder of the apps>
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
const { runStandalone } = await import('../src/run-standalone.ts');
const { PROCESS_TABLE } = await import('../src/process-table.ts');

process.exit(await runStandalone({ table: PROCESS_TABLE, appsFolder: process.argv[2] }));
