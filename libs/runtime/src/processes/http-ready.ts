import { readFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { get as getSecurely } from 'node:https';

const TIMEOUT_MS = 1_000;

/**
 * Whether a GET answers 200 within a second. The connection is closed at once: a server told to stop waits for
 * connections that are kept alive (qdrant 4 to 5 s).
 * @param authority path of the PEM file of the authority that a server of `https:` is known by
 */
export async function answersOk(url: string, authority?: string): Promise<boolean> {
  const ca = authority === undefined ? undefined : await readFile(authority);
  return new Promise((resolve) => {
    const onAnswer = (response: IncomingMessage): void => {
      response.resume();
      resolve(response.statusCode === 200);
    };
    const options = { agent: false, timeout: TIMEOUT_MS };
    const request = ca ? getSecurely(url, { ...options, ca }, onAnswer) : get(url, options, onAnswer);
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
  });
}
