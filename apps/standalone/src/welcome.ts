import { join } from 'node:path';
import { isLoopback } from '@loci/platform/loopback';
import { localUrl } from './addresses.js';
import { adminKeyPath } from './admin-key.js';
import { type StandaloneEnv } from './env.js';

const PROJECT = { org_id: 'demo', project_id: 'hello' };

/**
 * What to do next, once everything is ready.
 * @param model the language model that learns facts; undefined: there is none
 */
export function welcome(env: StandaloneEnv, elapsedSeconds: string, model?: string): string {
  const { host, port, dataDir } = env;
  const header = keyHeader(env);
  const url = isLoopback(host) ? `http://localhost:${port}` : localUrl(host, port);
  return `
Loci is ready at ${url} after ${elapsedSeconds} s.

Store a message:
${curl(`${url}/api/v2/memories`, header, { ...PROJECT, messages: [{ content: 'Ada prefers tea without sugar.' }] })}

Find it again:
${curl(`${url}/api/v2/memories/search`, header, { ...PROJECT, query: 'What does Ada drink?' })}

${learning(model)}
MCP clients: ${url}/mcp (docs/guide/mcp.md). Every request: ${url}/docs
Data: ${dataDir}
Logs: ${join(dataDir, 'logs')}
${access(env)}
Ctrl-C stops everything; the data stays.
`;
}

function curl(url: string, header: string, body: object): string {
  return `  curl -s ${url} \\\n${header}    -H 'content-type: application/json' \\\n    -d '${JSON.stringify(body)}'`;
}

const learning = (model: string | undefined): string =>
  model === undefined
    ? 'No language model: messages are stored and found, and no facts are learned from them.\nAdd one: docs/guide/providers.md. Without a key: npm run fake-models.'
    : `Facts are learned by the language model ${model}.`;

function keyHeader({ isAuthRequired, dataDir }: StandaloneEnv): string {
  return isAuthRequired ? `    -H "authorization: Bearer $(cat ${adminKeyPath(dataDir)})" \\\n` : '';
}

function access({ isAuthRequired, host, dataDir }: StandaloneEnv): string {
  if (isAuthRequired) {
    return `Callers need a key. The one in ${adminKeyPath(dataDir)} may do everything; make others with POST /api/v2/keys.`;
  }
  return isLoopback(host)
    ? `Open without authentication, because it listens on ${host} only: nothing but this machine reaches it.`
    : `WARNING: it listens on ${host} without authentication: every client that reaches this port can read, write and delete everything.`;
}
