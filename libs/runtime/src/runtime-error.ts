/** What went wrong, for a program; the message says it to a person. */
export type RuntimeErrorCode =
  | 'binary_missing'
  | 'port_in_use'
  | 'folder_foreign'
  | 'folder_locked'
  | 'folder_unusable'
  | 'folder_version'
  | 'process_failed'
  | 'process_killed'
  | 'process_ended'
  | 'binary_changed'
  | 'stopped';

/** A start that failed for a reason that its operator can mend. The message is complete: print it without a stack. */
export class RuntimeError extends Error {
  override readonly name = 'RuntimeError';

  constructor(
    readonly code: RuntimeErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
