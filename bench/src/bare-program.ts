import { freePort } from '@loci/runtime';
import { eventually } from '@loci/testing';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('./bare.main.js', import.meta.url));

export interface BareProgram {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** What the baselines work on. */
export interface BareStores {
  readonly databaseUrl: string;
  readonly qdrant: { readonly url: string; readonly apiKey: string };
}

/** Starts the baselines. */
export async function startBareProgram({ databaseUrl, qdrant }: BareStores): Promise<BareProgram> {
  const port = await freePort();
  const env = {
    ...process.env,
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    QDRANT_URL: qdrant.url,
    QDRANT_API_KEY: qdrant.apiKey,
    NODE_ENV: 'production',
  };
  const child = spawn(process.execPath, [MAIN], { env, stdio: 'inherit' });
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => (await fetch(`${url}/constant`, { method: 'POST' })).ok, {
    what: 'the baseline listens',
  });
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await ended;
    },
  };
}
