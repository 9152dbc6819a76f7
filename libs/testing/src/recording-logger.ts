import { type LogFields, Logger } from '@loci/platform';

/** Keeps what was logged, so that a test can look. */
export class RecordingLogger extends Logger {
  readonly lines: { readonly level: string; readonly message: string; readonly fields: LogFields }[] = [];

  override debug(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'debug', message, fields });
  }

  override info(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'info', message, fields });
  }

  override warn(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'warn', message, fields });
  }

  override error(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'error', message, fields });
  }
}
