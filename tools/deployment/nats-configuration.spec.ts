import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { findBinary, NATS_BINARY } from '../../libs/runtime/src/servers/npm-binaries.js';
import { byName, type Manifest, ofKind } from './manifests.js';
import { OVERLAYS, render } from './render.js';

const compose = parse(readFileSync('docker-compose.yml', 'utf8')) as {
  configs: { nats: { content: string } };
};
const ofOverlay = (overlay: (typeof OVERLAYS)[number]): string =>
  byName(
    ofKind<Manifest & { readonly data: Readonly<Record<string, string>> }>(render(overlay), 'ConfigMap'),
    'nats-config',
  )?.data['nats.conf'] ?? '';
const CONFIGURATIONS: [string, string][] = [
  ['docker-compose.yml', compose.configs.nats.content],
  ...OVERLAYS.map((overlay): [string, string] => [overlay, ofOverlay(overlay)]),
];

/** @returns what the server says of a configuration that it does not take; nothing when it does */
async function refusalOf(text: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'loci-nats-configuration-'));
  const file = join(folder, 'nats.conf');
  writeFileSync(file, text);
  try {
    const env = { ...process.env, NATS_TOKEN: 'token' };
    execFileSync(await findBinary(NATS_BINARY), ['-t', '-c', file], { env, stdio: 'pipe' });
    return '';
  } catch (error) {
    return String((error as { stderr: unknown }).stderr);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.each(CONFIGURATIONS)('the server takes the configuration of %s, and large messages', async (_, text) => {
  expect(await refusalOf(text)).toBe('');
  // the standalone form's, above what the gateway lets in
  expect(text).toMatch(/^\s*max_payload: 8MB$/m);
});

test('what the server does not take is found', async () => {
  expect(await refusalOf(ofOverlay('production').replace('max_payload', 'max_paylod'))).toContain(
    'unknown field "max_paylod"',
  );
});
