import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { SettingsError } from '../process/start-error.js';

/** The settings of a process are wrong; the message names every variable and what is wrong with it. */
export class EnvError extends SettingsError {
  override readonly name = 'EnvError';
}

/** Node keeps no timer longer: it lets such a one end at once, and what it repeats is done without a pause. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Reads the settings of a process from environment variables. A property of the class is the variable of the same
 * name; its initial value is the default; its declared type is what the text is converted to. A variable
 * that is empty or blank counts as absent. What is named `..._MS` has to fit into a timer of Node.
 * @throws EnvError naming every variable that does not fit
 */
export function loadEnv<T extends object>(shape: new () => T, source: NodeJS.ProcessEnv = process.env): T {
  const given = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const env = plainToInstance(shape, given, { enableImplicitConversion: true, exposeDefaultValues: true });
  const problems = validateSync(env, { skipMissingProperties: false });
  const sentences = [
    ...problems.flatMap(({ constraints = {} }) => Object.values(constraints)),
    ...Object.entries(env).flatMap(([name, value]) => excessOf(name, value)),
  ];
  if (sentences.length > 0) {
    throw new EnvError(`Wrong environment: ${sentences.join('; ')}.`);
  }
  return env;
}

function excessOf(name: string, value: unknown): string[] {
  const most = name.endsWith('_MS') ? MAX_TIMER_MS : Number.MAX_SAFE_INTEGER;
  return typeof value === 'number' && value > most ? [`${name} must not be greater than ${most}`] : [];
}
