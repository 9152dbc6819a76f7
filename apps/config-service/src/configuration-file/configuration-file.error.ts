import { SettingsError } from '@loci/platform';

/** The configuration file cannot be taken over; the message says where and why. */
export class ConfigurationFileError extends SettingsError {
  override readonly name = 'ConfigurationFileError';

  constructor(path: string, { line, col }: { line: number; col: number }, reason: string) {
    super(`The configuration file ${path} is wrong at line ${line}, column ${col}: ${reason}`);
  }
}
