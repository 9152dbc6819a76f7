import { StartError } from '@loci/platform';

/** A process could not start because PostgreSQL does not answer; the message says where it looked and why it failed. */
export class DatabaseUnreachableError extends StartError {
  override readonly name = 'DatabaseUnreachableError';

  constructor(url: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
    super(`PostgreSQL does not answer at ${addressOf(url)} (${reason}): start it, or correct DATABASE_URL.`, {
      cause,
    });
  }
}

/** Host, port and database; nothing of the credentials. */
function addressOf(url: string): string {
  if (!URL.canParse(url)) return 'DATABASE_URL';
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
