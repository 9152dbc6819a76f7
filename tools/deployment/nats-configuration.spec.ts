import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTlsFiles, type OwnTlsFiles } from '@loci/testing';
import { parse } from 'yaml';
import { findBinary, NATS_BINARY } from '../../libs/runtime/src/servers/npm-binaries.js';
import { OVERLAYS, render } from './render.js';
import { configurationIn } from './servers.js';

const compose = parse(readFileSync('docker-compose.yml', 'utf8')) as {
  configs: { nats: { content: string } };
};
const ofOverlay = (overlay: (typeof OVERLAYS)[number]): string =>
  configurationIn(render(overlay), 'nats-config')['nats.conf'] ?? '';
const CONFIGURATIONS: [string, string][] = [
  ['docker-compose.yml', compose.configs.nats.content],
  ...OVERLAYS.map((overlay): [string, string] => [overlay, ofOverlay(overlay)]),
];

/** Of every variable that a configuration refers to. */
const SECRETS = {
  ...Object.fromEntries(
    ['GATEWAY', 'CONFIG', 'EPISODIC', 'SEMANTIC', 'STREAMS', 'OPERATOR', 'ROUTES'].map((user) => [
      `NATS_${user}_PASSWORD`,
      'k0',
    ]),
  ),
  ...Object.fromEntries([0, 1, 2].map((n) => [`NATS_ROUTE_${n}`, `"nats://routes:k0@nats-${n}.nats:6222"`])),
};

let tls: OwnTlsFiles;

beforeAll(async () => {
  tls = await createTlsFiles();
});

afterAll(() => tls.destroy());

/** The server reads the files that a configuration names. */
const withFiles = (text: string): string =>
  text
    .replaceAll('/etc/nats-tls/tls.crt', tls.certificate)
    .replaceAll('/etc/nats-tls/tls.key', tls.key)
    .replaceAll('/etc/nats-tls/ca.crt', tls.authority);

/** @returns what the server says of a configuration that it does not take; nothing when it does */
async function refusalOf(text: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'loci-nats-configuration-'));
  const file = join(folder, 'nats.conf');
  writeFileSync(file, withFiles(text));
  try {
    copyFileSync('k8s/components/nats-users/users.conf', join(folder, 'users.conf'));
    const env = { ...process.env, ...SECRETS };
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
  expect(text).toMatch(/^\s*include \.\/users\.conf$/m);
});

test('what the server does not take is found', async () => {
  expect(await refusalOf(ofOverlay('production').replace('max_payload', 'max_paylod'))).toContain(
    'unknown field "max_paylod"',
  );
});
