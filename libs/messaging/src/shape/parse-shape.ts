import { invalid, type Problem, type Shape } from '@loci/contracts';
import { validateSync, type ValidationError } from 'class-validator';
import { instantiate } from './instantiate.js';
import { keepsRules } from './keeps-rules.js';

/**
 * A received value as an instance of the class that says what is valid. Unknown fields are dropped.
 * @throws AppError `invalid_request` with every problem
 */
export function parseShape<T extends object>(shape: Shape<T>, plain: unknown): T {
  const value = instantiate(shape, plain);
  if (!(value instanceof shape)) throw invalid('invalid_request', [NOT_AN_OBJECT]);
  if (keepsRules(shape, value)) return value;
  const [first, ...rest] = validateSync(value, { whitelist: true, forbidUnknownValues: false }).flatMap(
    (error) => problemsOf(error, []),
  );
  if (first) throw invalid('invalid_request', [first, ...rest]);
  return value;
}

const NOT_AN_OBJECT: Problem = { loc: ['body'], msg: 'The body must be an object.', type: 'object_type' };

function problemsOf(
  { property, constraints = {}, children = [] }: ValidationError,
  path: Problem['loc'],
): Problem[] {
  const loc = [...path, /^\d+$/.test(property) ? Number(property) : property];
  const own = Object.entries(constraints).map(([constraint, msg]) => ({
    loc: ['body', ...loc],
    msg,
    type: slug(constraint),
  }));
  return [...own, ...children.flatMap((child) => problemsOf(child, loc))];
}

const slug = (constraint: string): string =>
  constraint.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
