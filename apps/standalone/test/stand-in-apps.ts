import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The smallest service there can be: ready at once, drains on SIGTERM, and tells what it was given. */
const SERVICE = `
const { appendFileSync } = require('node:fs');
const { PORT, PROBE_PORT, HOST, SERVICE_NAME, JOURNAL } = process.env;
const say = (line) => appendFileSync(JOURNAL, SERVICE_NAME + ' ' + line + '\\n');
require('node:http').createServer((request, response) => {
  response.writeHead(request.url === '/health/ready' ? 200 : 404).end(JSON.stringify(process.env));
}).listen(SERVICE_NAME === 'gateway' ? PORT : PROBE_PORT, HOST ?? '127.0.0.1');
process.on('SIGTERM', () => setTimeout(() => { say('drained'); process.exit(0); }, 50));
say('started');
`;

const MIGRATION = `
require('node:fs').appendFileSync(process.env.JOURNAL, process.env.SERVICE_NAME + ' migrated\\n');
`;

export const IGNORES_SIGTERM = SERVICE.replace(
  /process\.on\('SIGTERM'.*/,
  "process.on('SIGTERM', () => {});",
);

/** Answers nothing in its first second, and tells when it begins to. */
export const READY_LATE = SERVICE.replace(
  /require\('node:http'\)[^]*?127\.0\.0\.1'\);/,
  (listens) => `setTimeout(() => { say('ready'); ${listens} }, 1_000);`,
);

const MAINS = {
  'config-service/dist/migrate.main.js': MIGRATION,
  'episodic-service/dist/migrate.main.js': MIGRATION,
  'semantic-service/dist/migrate.main.js': MIGRATION,
  'streams/dist/worker.main.js': SERVICE,
  'config-service/dist/api.main.js': SERVICE,
  'episodic-service/dist/api.main.js': SERVICE,
  'episodic-service/dist/worker.main.js': SERVICE,
  'semantic-service/dist/api.main.js': SERVICE,
  'semantic-service/dist/worker.main.js': SERVICE,
  'gateway/dist/api.main.js': SERVICE,
};

/** Writes a stand-in for every app into a folder; some may be replaced. */
export async function writeStandInApps(
  folder: string,
  replaced: Partial<Record<keyof typeof MAINS, string>> = {},
): Promise<void> {
  for (const [main, code] of Object.entries({ ...MAINS, ...replaced })) {
    await mkdir(dirname(join(folder, main)), { recursive: true });
    await writeFile(join(folder, main), code);
  }
}
