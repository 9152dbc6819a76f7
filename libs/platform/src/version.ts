import { createRequire } from 'node:module';

const manifest = createRequire(import.meta.url)('@loci/platform/package.json') as { version: string };

/** The version of Loci that this process runs. */
export const VERSION = manifest.version;
