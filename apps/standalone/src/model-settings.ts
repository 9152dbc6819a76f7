import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isLoopback } from '@loci/platform/loopback';
import { type StandaloneEnv } from './env.js';
import { secretKeys } from './secret-keys.js';

/** What services that work with model providers are given. */
export interface ModelSettings {
  /** What secrets are encrypted with. */
  readonly secretKeys: string;
  /** Whether models may be on this machine or in its network. */
  readonly allowPrivateEgress: boolean;
  /** Absolute path of the configuration file, if there is one. */
  readonly configurationFile: string | undefined;
}

const DEFAULT_FILE = 'config.yml';

/**
 * The variables of the same names win. Otherwise the key is one of this data folder; private addresses are allowed when
 * only this machine reaches Loci, so that a model server beside it works; and `config.yml` of the data folder is the
 * configuration file if it is there.
 */
export async function readModelSettings(
  { dataDir, host }: StandaloneEnv,
  source: NodeJS.ProcessEnv,
): Promise<ModelSettings> {
  const allow = source['EGRESS_ALLOW_PRIVATE'];
  return {
    secretKeys: source['LOCI_SECRET_KEYS'] || (await secretKeys(dataDir)),
    allowPrivateEgress: allow ? allow === 'true' || allow === '1' : isLoopback(host),
    configurationFile: await configurationFile(dataDir, source['MEMORY_CONFIG']),
  };
}

export const modelEnv = (models: ModelSettings): Record<string, string> => ({
  LOCI_SECRET_KEYS: models.secretKeys,
  EGRESS_ALLOW_PRIVATE: String(models.allowPrivateEgress),
  ...(models.configurationFile !== undefined && { MEMORY_CONFIG: models.configurationFile }),
});

async function configurationFile(dataDir: string, asked: string | undefined): Promise<string | undefined> {
  if (asked) return resolve(asked);
  const path = join(dataDir, DEFAULT_FILE);
  return access(path).then(
    () => path,
    () => undefined,
  );
}
