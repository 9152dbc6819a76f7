import { type Comparison, type Literal } from '@loci/contracts';
import { type Operand } from './field-columns.js';
import { type SqlParameters } from './sql-parameters.js';
import { asInstant, isNumber } from './text-as.js';

const NEVER = 'FALSE';

/** Whether an operand equals one of several literals; NULL or FALSE where it has no value. */
export function equalsAny(operand: Operand, literals: readonly Literal[], parameters: SqlParameters): string {
  const strings = literals.flatMap((literal) => (literal.type === 'string' ? [literal.value] : []));
  const numbers = literals.flatMap((literal) => (literal.type === 'number' ? [literal.value] : []));
  const others = literals.filter(({ type }) => type !== 'string' && type !== 'number');
  const tests = others.map((literal) => compare(operand, '=', literal, parameters));
  if (numbers.length > 0 && operand.type !== 'instant') {
    tests.push(equalsAnyNumber(operand, numbers, parameters));
  }
  if (strings.length > 0 && operand.type !== 'instant') {
    tests.push(`${asText(operand)} = ANY(${parameters.texts(strings)})`);
  }
  return tests.length === 0 ? NEVER : `(${tests.join(' OR ')})`;
}

/** A text is read as a number once, however many there are. */
function equalsAnyNumber(operand: Operand, numbers: readonly number[], parameters: SqlParameters): string {
  const isAny = `${operand.sql}::numeric = ANY(${parameters.numbers(numbers)})`;
  if (operand.type === 'integer') return isAny;
  const isAnyText = `${operand.sql} = ANY(${parameters.texts(numbers.map(String))})`;
  return `CASE WHEN ${isNumber(operand.sql)} THEN ${isAny} ELSE ${isAnyText} END`;
}

/** Whether an operand stands in this relation to a literal; NULL or FALSE where it has no value that can be compared. */
export function compare(
  operand: Operand,
  operator: Exclude<Comparison, '!='>,
  literal: Literal,
  parameters: SqlParameters,
): string {
  if (literal.type === 'instant') {
    const moment = operand.type === 'instant' ? operand.sql : `(${asInstant(asText(operand))})`;
    return `${moment} ${operator} ${parameters.instant(literal.value)}`;
  }
  if (operand.type === 'instant') return NEVER;
  if (literal.type !== 'number') {
    return compareText(asText(operand), operator, String(literal.value), parameters);
  }
  const number = parameters.number(literal.value);
  if (operand.type === 'integer') return `${operand.sql}::numeric ${operator} ${number}`;
  const asTextual = compareText(operand.sql, operator, String(literal.value), parameters);
  return `CASE WHEN ${isNumber(operand.sql)} THEN ${operand.sql}::numeric ${operator} ${number} ELSE ${asTextual} END`;
}

/** By code points. Stored text has no NUL: one that is compared with it ends before it. */
function compareText(
  text: string,
  operator: Exclude<Comparison, '!='>,
  value: string,
  parameters: SqlParameters,
): string {
  const whole = parameters.text(value);
  if (whole !== undefined) return `${text} COLLATE "C" ${operator} ${whole}`;
  if (operator === '=') return NEVER;
  const beforeNul = parameters.text(value.slice(0, value.indexOf('\0'))) ?? "''";
  return `${text} COLLATE "C" ${operator.startsWith('<') ? '<=' : '>'} ${beforeNul}`;
}

const asText = (operand: Operand): string => (operand.type === 'text' ? operand.sql : `${operand.sql}::text`);
