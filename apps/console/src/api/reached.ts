import { LociError } from '@loci/client';

/** The code of the page is that of another version than what the gateway serves. */
export class NewVersion extends Error {
  constructor(cause: unknown) {
    super('This page is of another version of Loci than the one that runs now.', { cause });
  }
}

/**
 * The code of a part of the page, which comes when it is wanted.
 * @throws LociError status 0 where Loci is not reached
 * @throws NewVersion where it is, and has the code under other names
 */
export async function reached<Code>(code: Promise<Code>): Promise<Code> {
  try {
    return await code;
  } catch (error) {
    await fetch('/health/live').catch((cause: unknown) => {
      throw new LociError(0, 'connection_failed', 'The view could not be loaded.', { cause });
    });
    throw new NewVersion(error);
  }
}

const RELOADED = 'loci-reloaded';
const PAUSE_MS = 60_000;

/** Loads the page again, unless that was done just now and did not help. Nothing is lost: addresses say what is shown. */
export function reloadOnce(): void {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < PAUSE_MS) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  window.location.reload();
}
