import { type Problem } from '@loci/contracts';
import { FieldProblem, type Fields, type Settings } from './fields.js';
import { type JsonObject } from './field-readers.js';

/** The settings that a configuration says, or everything that is wrong with it. */
export function readSettings<F extends Fields>(
  fields: F,
  config: JsonObject,
): { readonly settings: Settings<F> } | { readonly problems: readonly [Problem, ...Problem[]] } {
  const problems: Problem[] = [];
  const values = Object.entries(fields).map(([key, field]): [string, unknown] => {
    const given = Object.hasOwn(config, key) ? config[key] : undefined;
    const value = readField(field, given);
    if (value instanceof FieldProblem) problems.push({ loc: ['body', 'config', key], ...value });
    return [key, value];
  });
  const [first, ...others] = problems;
  if (first) return { problems: [first, ...others] };
  // one value per field, read by that field: the compiler can't follow a mapped type through entries
  return { settings: Object.fromEntries(values) as Settings<F> };
}

function readField(field: Fields[string], given: unknown): unknown {
  if (given !== undefined && given !== null) return field.read(given);
  return field.isRequired ? new FieldProblem('Field required', 'missing') : field.default;
}
