import { AppError, invalid } from '@loci/contracts';
import { isJsonObject, type JsonObject } from '@loci/platform/schema';
import { readJson } from '../wire/json/read-json.js';
import { type BodyLine } from './body-lines.js';

/** @throws AppError `invalid_request` whose problems name the line */
export function readLine({ number, bytes }: BodyLine): JsonObject {
  const value = parse(bytes, number);
  if (isJsonObject(value)) return value;
  throw invalid('invalid_request', [
    { loc: ['body', number], msg: 'Each line should be a JSON object', type: 'model_attributes_type' },
  ]);
}

function parse(bytes: Uint8Array, number: number): unknown {
  try {
    return readJson(bytes);
  } catch (error) {
    throw atLine(error, number);
  }
}

/** The same failure; its problems, if it has any, name the line. */
export function atLine(error: unknown, number: number): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, message, details } = error;
  if (!details.problems) return error;
  const problems = details.problems.map(({ loc: [body = 'body', ...path], ...problem }) => ({
    ...problem,
    loc: [body, number, ...path],
  }));
  return new AppError(code, message, { ...details, problems }, error);
}
