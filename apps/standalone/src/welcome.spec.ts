import { expect, test } from '@jest/globals';
import { readEnv } from './env.js';
import { welcome } from './welcome.js';

const commandsOf = (text: string): { url: string; body: unknown }[] =>
  [...text.matchAll(/curl -s (\S+)[\s\S]*?-d '(.*)'/g)].map(([, url = '', body = '']) => ({
    url,
    body: JSON.parse(body) as unknown,
  }));

test('it shows one command that stores a message and one that finds it', () => {
  const [store, find] = commandsOf(welcome(readEnv({ PORT: '9000' }), '4.2'));
  expect(store).toEqual({
    url: 'http://localhost:9000/api/v2/memories',
    body: { org_id: 'demo', project_id: 'hello', messages: [{ content: 'Ada prefers tea without sugar.' }] },
  });
  expect(find).toEqual({
    url: 'http://localhost:9000/api/v2/memories/search',
    body: { org_id: 'demo', project_id: 'hello', query: 'What does Ada drink?' },
  });
});

test('it says which language model learns facts, or how to add one', () => {
  const env = readEnv({});
  expect(welcome(env, '4.2', 'openai')).toContain('Facts are learned by the language model openai.');
  const without = welcome(env, '4.2');
  expect(without).toContain('Add one: docs/guide/providers.md. Without a key: npm run fake-models.');
  expect(without).not.toContain('Facts are learned');
});

test('it says where MCP clients and people go', () => {
  const text = welcome(readEnv({ PORT: '9000' }), '4.2');
  expect(text).toContain('MCP clients: http://localhost:9000/mcp');
  expect(text).toContain('http://localhost:9000/docs');
});

test('it says where the data is and that only this machine reaches it', () => {
  const text = welcome(readEnv({ LOCI_DATA_DIR: '/data' }), '4.2');
  expect(text).toContain('Data: /data\nLogs: /data/logs\n');
  expect(text).toMatch(/Open without authentication/);
  expect(text).not.toContain('WARNING');
});

test('it says where the key is when others can reach it, and shows how to send it', () => {
  const text = welcome(readEnv({ HOST: '0.0.0.0', LOCI_DATA_DIR: '/data' }), '4.2');
  expect(text).toContain('Loci is ready at http://127.0.0.1:8080');
  expect(text).toContain('The one in /data/admin-key may do everything');
  expect(text.match(/-H "authorization: Bearer \$\(cat \/data\/admin-key\)"/g)).toHaveLength(2);
});

test('it warns when others can reach it and no key is required', () => {
  const text = welcome(readEnv({ HOST: '0.0.0.0', AUTH: 'off' }), '4.2');
  expect(text).toMatch(/WARNING: it listens on 0\.0\.0\.0 without authentication/);
  expect(text).not.toContain('authorization');
});
