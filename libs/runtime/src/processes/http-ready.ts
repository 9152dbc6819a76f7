import { readFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { get as getSecurely } from 'node:https';
import { text } from 'node:stream/consumers';

const TIMEOUT_MS = 1_000;

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/**
 * What a GET answers within a second; undefined when it does not. The connection is closed at once: a server told to stop waits for
 * connections that are kept alive (qdrant 4 to 5 s).
 * @param authority path of the PEM file of the authority that a server of `https:` is known by
 */
export async function answerOf(url: string, authority?: string): Promise<Answer | undefined> {
  const ca = authority === undefined ? undefined : await readFile(authority);
  return new Promise((resolve) => {
    const onAnswer = (response: IncomingMessage): void => {
      text(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, text: body }),
        () => resolve(undefined),
      );
    };
    const options = { agent: false, timeout: TIMEOUT_MS };
    const request = ca ? getSecurely(url, { ...options, ca }, onAnswer) : get(url, options, onAnswer);
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(undefined));
  });
}

/** Whether a GET answers 200 within a second. @param authority as for `answerOf` */
export async function answersOk(url: string, authority?: string): Promise<boolean> {
  return (await answerOf(url, authority))?.status === 200;
}
