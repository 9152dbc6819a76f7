import { get } from 'node:http';

const TIMEOUT_MS = 1_000;

/**
 * Whether a GET answers 200 within a second. The connection is closed at once: a server told to stop waits for
 * connections that are kept alive (qdrant 4 to 5 s).
 */
export function answersOk(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: TIMEOUT_MS }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
  });
}
