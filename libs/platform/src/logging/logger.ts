export type LogFields = Readonly<Record<string, unknown>>;

/** Structured log of a process. Never give it memory text or a secret. */
export abstract class Logger {
  abstract debug(message: string, fields?: LogFields): void;
  abstract info(message: string, fields?: LogFields): void;
  abstract warn(message: string, fields?: LogFields): void;
  abstract error(message: string, fields?: LogFields): void;
}
