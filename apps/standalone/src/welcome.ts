import { join } from 'node:path';
import { isLoopback, localUrl } from './addresses.js';
import { type StandaloneEnv } from './env.js';

const PROJECT = { org_id: 'demo', project_id: 'hello' };

/** What to do next, once everything is ready. */
export function welcome({ host, port, dataDir }: StandaloneEnv, elapsedSeconds: string): string {
  const url = isLoopback(host) ? `http://localhost:${port}` : localUrl(host, port);
  return `
Loci is ready at ${url} after ${elapsedSeconds} s.

Store a message:
${curl(`${url}/api/v2/memories`, { ...PROJECT, messages: [{ content: 'Ada prefers tea without sugar.' }] })}

Find it again:
${curl(`${url}/api/v2/memories/search`, { ...PROJECT, query: 'What does Ada drink?' })}

Data: ${dataDir}
Logs: ${join(dataDir, 'logs')}
${access(host)}
Ctrl-C stops everything; the data stays.
`;
}

function curl(url: string, body: object): string {
  return `  curl -s ${url} \\\n    -H 'content-type: application/json' \\\n    -d '${JSON.stringify(body)}'`;
}

function access(host: string): string {
  return isLoopback(host)
    ? `Open without authentication, because it listens on ${host} only: nothing but this machine reaches it.`
    : `WARNING: it listens on ${host} without authentication: whoever reaches this port can read, write and delete everything.`;
}
