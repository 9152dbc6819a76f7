/** Exit code of a process that could not do its work, for whatever reason: another try may succeed. */
export const EXIT_FAILURE = 1;

/** Exit code of a process that refuses its settings: it ends the same way until they are changed. `EX_CONFIG` of sysexits(3). */
export const EXIT_SETTINGS = 78;

/** A process cannot start, and its operator can do something about it: the message says what, so no stack is shown. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
  readonly exitCode: number = EXIT_FAILURE;
}

/** The settings are wrong, or a file that they name is. */
export class SettingsError extends StartError {
  override readonly name: string = 'SettingsError';
  override readonly exitCode: number = EXIT_SETTINGS;
}
