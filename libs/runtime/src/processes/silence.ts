import { connect } from 'node:net';

/** Where a process listens, and what it answers with anything at all. */
export interface Question {
  readonly host: string;
  readonly port: number;
  /** Empty for a server that speaks first. */
  readonly text: string | Buffer;
}

const ASK_EVERY_MS = 10_000;
/** Background processes yield to everything else on a busy machine. */
const ANSWER_WITHIN_MS = 10_000;
const SILENT_TIMES = 6;

export interface HangLimits {
  readonly everyMs: number;
  readonly answerWithinMs: number;
  /** So often in a row it has to be silent. */
  readonly times: number;
}

const LIMITS: HangLimits = { everyMs: ASK_EVERY_MS, answerWithinMs: ANSWER_WITHIN_MS, times: SILENT_TIMES };

/**
 * Finds a process that lives on and answers nothing, for about two minutes. Counted, not timed: while the machine sleeps, nothing is
 * asked.
 */
export function hanging(
  question: Question,
  { everyMs, answerWithinMs, times }: HangLimits = LIMITS,
): { everyMs: number; is: () => Promise<boolean> } {
  let silent = 0;
  return {
    everyMs,
    async is() {
      silent = (await isSilent(question, answerWithinMs)) ? silent + 1 : 0;
      if (silent < times) return false;
      silent = 0;
      return true;
    },
  };
}

/** Whether nothing at all comes back in time; a refusal is an answer, too, since one that is overloaded must not be ended. */
export function isSilent({ host, port, text }: Question, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (silent: boolean): void => {
      clearTimeout(enough);
      socket.destroy();
      resolve(silent);
    };
    const enough = setTimeout(() => end(true), withinMs);
    socket.once('data', () => end(false));
    socket.once('end', () => end(false));
    socket.once('error', () => end(false));
    if (text.length > 0) socket.write(text);
  });
}

/** A GET, as one writes it by hand: every answer is one, and a server that wants TLS refuses it. */
export function httpQuestion(url: string): Question {
  const { hostname, host, port, pathname } = new URL(url);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port),
    text: `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
  };
}
