import { type Loci } from '@loci/testing';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sharedProduct } from '../harness/shared-product.js';

/** For all tests of this folder, each file in organizations of its own. */
export const product = sharedProduct({ env: { AUTH: 'on', INGESTION_RETRY_PAUSE_MS: '1' } });

/** Where the first start puts the key of the administrator. */
export const adminKeyFile = (loci: Loci): string => join(loci.dataDir, 'admin-key');

export const adminKeyOf = async (loci: Loci): Promise<string> =>
  (await readFile(adminKeyFile(loci), 'utf8')).trim();
