import { type Field, FieldProblem } from './fields.js';

type Reader<Value> = Field<Value>['read'];

const MAX_TEXT_LENGTH = 4096;

export const text =
  ({ minLength = 0 } = {}): Reader<string> =>
  (given) => {
    if (typeof given !== 'string') return new FieldProblem('Input should be a valid string', 'string_type');
    if (given.length < minLength) {
      return new FieldProblem(`String should have at least ${minLength} character`, 'string_too_short');
    }
    if (given.length > MAX_TEXT_LENGTH) {
      return new FieldProblem(`String should have at most ${MAX_TEXT_LENGTH} characters`, 'string_too_long');
    }
    return given;
  };

export const matching =
  (pattern: RegExp, what: string): Reader<string> =>
  (given) => {
    const value = text()(given);
    if (value instanceof FieldProblem || pattern.test(value)) return value;
    return new FieldProblem(`Input should be ${what}`, 'string_pattern_mismatch');
  };

/** The base of an HTTP API. Credentials belong into their own keys, so they may not stand in the address. */
export const httpUrl: Reader<string> = (given) => {
  const value = text()(given);
  if (value instanceof FieldProblem) return value;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    return new FieldProblem(
      'Input should be an http(s) URL with a host and without credentials',
      'url_parsing',
    );
  }
  return value;
};

export const number =
  ({ above, atLeast, atMost }: { above?: number; atLeast?: number; atMost?: number }): Reader<number> =>
  (given) => {
    const value = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      return new FieldProblem('Input should be a valid number', 'float_type');
    }
    if (above !== undefined && value <= above) {
      return new FieldProblem(`Input should be greater than ${above}`, 'greater_than');
    }
    if (atLeast !== undefined && value < atLeast) {
      return new FieldProblem(`Input should be greater than or equal to ${atLeast}`, 'greater_than_equal');
    }
    if (atMost !== undefined && value > atMost) {
      return new FieldProblem(`Input should be less than or equal to ${atMost}`, 'less_than_equal');
    }
    return value;
  };

export const integer =
  (bounds: { atLeast: number; atMost: number }): Reader<number> =>
  (given) => {
    const value = number(bounds)(given);
    if (value instanceof FieldProblem || Number.isInteger(value)) return value;
    return new FieldProblem('Input should be a valid integer', 'int_type');
  };

export const oneOf =
  <const Option extends string>(...options: readonly Option[]): Reader<Option> =>
  (given) =>
    options.find((option) => option === given) ??
    new FieldProblem(`Input should be ${options.map((option) => `'${option}'`).join(' or ')}`, 'enum');

export const names: Reader<readonly string[]> = (given) => {
  const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';
  if (Array.isArray(given) && given.length > 0 && given.every(isName)) return given;
  return new FieldProblem('Input should be a list of at least one name', 'list_type');
};

export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (given: unknown): given is JsonObject =>
  typeof given === 'object' && given !== null && !Array.isArray(given);

export const jsonObject: Reader<JsonObject> = (given) =>
  isJsonObject(given) ? given : new FieldProblem('Input should be a valid dictionary', 'dict_type');
