import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { SettingsError } from '../process/start-error.js';

/** The settings of a process are wrong; the message names every variable and what is wrong with it. */
export class EnvError extends SettingsError {
  override readonly name = 'EnvError';
}

/**
 * Reads the settings of a process from environment variables. A property of the class is the variable of the same
 * name; its initial value is the default; its declared type is what the text is converted to. An empty variable counts as absent.
 * @throws EnvError naming every variable that does not fit
 */
export function loadEnv<T extends object>(shape: new () => T, source: NodeJS.ProcessEnv = process.env): T {
  const given = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined && value !== ''),
  );
  const env = plainToInstance(shape, given, { enableImplicitConversion: true, exposeDefaultValues: true });
  const problems = validateSync(env, { skipMissingProperties: false });
  if (problems.length > 0) {
    const sentences = problems.flatMap(({ constraints = {} }) => Object.values(constraints));
    throw new EnvError(`Wrong environment: ${sentences.join('; ')}.`);
  }
  return env;
}
