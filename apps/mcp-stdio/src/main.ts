import { startBridge } from './bridge.js';
import { settingsOf } from './settings.js';
import { usageFor } from './usage.js';

const usage = usageFor(process.argv.slice(2));
if (usage) {
  (usage.isWanted ? process.stdout : process.stderr).write(usage.text);
  process.exit(usage.isWanted ? 0 : 1);
}

try {
  await startBridge(settingsOf(process.env), (message) => console.error(message));
} catch (error) {
  // standard output belongs to the protocol
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
