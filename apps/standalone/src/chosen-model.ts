import { localUrl } from './addresses.js';
import { adminKey } from './admin-key.js';
import { type StandaloneEnv } from './env.js';

const WAIT_MS = 5_000;

/** The language model that learns facts, as the running service says. @returns undefined when there is none, or it does not say */
export async function chosenModel({
  host,
  port,
  isAuthRequired,
  dataDir,
}: StandaloneEnv): Promise<string | undefined> {
  try {
    const headers = isAuthRequired ? { authorization: `Bearer ${await adminKey(dataDir)}` } : {};
    const url = `${localUrl(host, port)}/api/v2/config/memory/semantic`;
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(WAIT_MS) });
    const { llm_model: model } = (await response.json()) as { llm_model?: unknown };
    return typeof model === 'string' && model !== '' ? model : undefined;
  } catch {
    return undefined;
  }
}
