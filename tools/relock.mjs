// Makes package-lock.json right after npm wrote it: `npm run relock`.
//
// Some packages say "node >=22" and need no such thing. That with nats-server is a binary, and npm silently skips an
// optional package whose engines do not fit. Of the others npm only warns: our tests run them on every Node that we
// support. `npm ci` reads engines from the lock, so they are removed there.
import { readFile, writeFile } from 'node:fs/promises';

const NEED_NO_NEWER_NODE =
  /\/(@eplightning\/nats-server-[^/]+|@kubernetes-models\/[^/]+|kubernetes-models|@ai-sdk\/[^/]+|ai|@mastra\/[^/]+|openai|posthog-node)$/;

const path = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(await readFile(path, 'utf8'));

for (const [name, entry] of Object.entries(lock.packages)) {
  if (NEED_NO_NEWER_NODE.test(name)) delete entry.engines;
}
await writeFile(path, `${JSON.stringify(lock, null, 2)}\n`);
