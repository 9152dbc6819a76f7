import { type TlsFiles } from '@loci/runtime';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** The certificate of servers on this machine, which is its own authority, and the folder that holds it. */
export interface OwnTlsFiles extends TlsFiles {
  destroy(): Promise<void>;
}

const LOOPBACK_NAMES = [
  { type: 2, value: 'localhost' },
  { type: 7, ip: '127.0.0.1' },
] as const;

export async function createTlsFiles(): Promise<OwnTlsFiles> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'Loci tests' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [...LOOPBACK_NAMES] },
    ],
  });
  const folder = await mkdtemp(join(tmpdir(), 'loci-tls-'));
  // PostgreSQL refuses a key that others may read
  const files = { certificate: join(folder, 'server.crt'), key: join(folder, 'server.key') };
  await writeFile(files.certificate, cert);
  await writeFile(files.key, key, { mode: 0o600 });
  // the server may run as another user than the tests
  await chmod(folder, 0o755);
  return {
    ...files,
    authority: files.certificate,
    destroy: () => rm(folder, { recursive: true, force: true }),
  };
}
