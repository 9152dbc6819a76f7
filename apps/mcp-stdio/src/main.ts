import { startBridge } from './bridge.js';
import { settingsOf } from './settings.js';

try {
  await startBridge(settingsOf(process.env), (message) => console.error(message));
} catch (error) {
  // standard output belongs to the protocol
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
