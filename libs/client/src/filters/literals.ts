/** What a field is compared with. A Date is an instant; in `metadata` it compares with what is written there as ISO 8601. */
export type FilterValue = string | number | boolean | Date;

const hasNull = (text: string): boolean => text.includes('\0');

/** In quotes, whatever is in it: `'O''Brien'`. @throws TypeError for a text with a NUL, which Loci stores nowhere */
export function quoted(text: string): string {
  if (hasNull(text))
    throw new TypeError('A filter cannot contain the character NUL: nothing that Loci stores does.');
  return `'${text.replaceAll("'", "''")}'`;
}

/** A metadata key as a field. @throws TypeError for an empty key */
export function metadataField(key: string): string {
  if (key === '') throw new TypeError('The key of a metadata condition is empty.');
  return `metadata.${quoted(key)}`;
}

/**
 * A value as the filter language writes it.
 * @throws TypeError for what the language cannot write: NaN, numbers beyond 2^53, invalid dates, other types
 */
export function literal(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'boolean':
      return String(value);
    case 'number':
      return number(value);
    default:
      if (value instanceof Date) return `date(${quoted(isoOf(value))})`;
      throw new TypeError(
        `A filter compares with texts, numbers, booleans and dates, not with ${value === undefined ? 'undefined: a variable is not set' : describe(value)}.`,
      );
  }
}

/** The values of an IN list: texts, or whole numbers. @throws TypeError for anything else, and for a mixture */
export function list(values: readonly unknown[]): string {
  const areTexts = values.every((value) => typeof value === 'string');
  const areIntegers = values.every((value) => Number.isSafeInteger(value));
  if (values.length === 0) throw new TypeError('A list of a filter needs at least one value.');
  if (!areTexts && !areIntegers) {
    throw new TypeError('A list of a filter holds only texts or only whole numbers.');
  }
  return `(${values.map(literal).join(', ')})`;
}

function number(value: number): string {
  if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) {
    throw new TypeError(`${value} is no number that a filter can compare with; give it as a text.`);
  }
  const text = plain(String(value + 0));
  return text;
}

/** `1.5e-7` without the exponent, which the language does not know. */
function plain(text: string): string {
  const [, sign = '', digits = '', more = '', exponent] = /^(-?)(\d)\.?(\d*)e-(\d+)$/.exec(text) ?? [];
  return exponent === undefined ? text : `${sign}0.${'0'.repeat(Number(exponent) - 1)}${digits}${more}`;
}

function isoOf(date: Date): string {
  const time = date.getTime();
  if (Number.isNaN(time)) throw new TypeError('A date of a filter is invalid.');
  const year = date.getUTCFullYear();
  if (year < 1 || year > 9999) throw new TypeError('A date of a filter lies outside the years 1 to 9999.');
  return date.toISOString();
}

const describe = (value: unknown): string => (value === null ? 'null: write IS NULL' : `a ${typeof value}`);
