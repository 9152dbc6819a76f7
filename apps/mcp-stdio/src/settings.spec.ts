import { describe, expect, test } from '@jest/globals';
import { settingsOf } from './settings.js';

describe('the settings of the bridge', () => {
  test('without any it asks the Loci of this machine, and names no organization', () => {
    const { endpoint, headers } = settingsOf({});
    expect(endpoint.href).toBe('http://127.0.0.1:8080/mcp');
    expect(headers).toEqual({});
  });

  test('a path before the endpoint is kept, with and without a slash', () => {
    for (const url of ['https://memory.example/loci', 'https://memory.example/loci/'])
      expect(settingsOf({ LOCI_URL: url }).endpoint.href).toBe('https://memory.example/loci/mcp');
  });

  test('ids and key become headers; empty ids do not', () => {
    const env = { MM_ORG_ID: 'acme', MM_PROJ_ID: '', MM_USER_ID: 'alice', LOCI_API_KEY: 'key' };
    expect(settingsOf(env).headers).toEqual({
      'org-id': 'acme',
      'user-id': 'alice',
      authorization: 'Bearer key',
    });
  });

  test.each(['here', '127.0.0.1:8080', 'ftp://x'])('%s is refused by name', (url) => {
    expect(() => settingsOf({ LOCI_URL: url })).toThrow('LOCI_URL');
  });
});
