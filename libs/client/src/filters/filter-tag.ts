import { Filter } from './filter.js';
import { list, literal, quoted } from './literals.js';

/**
 * A filter in the language of the API, with values put in as data. A placeholder stands where a value, a list, a quoted
 * metadata key (`metadata.${key}`) or another filter may stand, and never inside quotes.
 * @example filter`metadata.user_id = ${user} AND (created_at >= ${since} OR metadata.kind IN ${['note', 'task']})`
 * @throws TypeError when quotes or parentheses do not close, or a placeholder stands inside quotes
 */
export function filter(texts: TemplateStringsArray, ...values: readonly unknown[]): Filter {
  const state = { quote: '', depth: 0 };
  const parts = texts.map((text, index) => {
    read(text, state);
    if (index === values.length) return text;
    refuseGlued(state.quote, text, texts[index + 1] ?? '', index === 0);
    return `${text}${written(values[index], text)}`;
  });
  if (state.quote !== '') throw new TypeError('A quoted text of the filter does not end.');
  if (state.depth !== 0) throw new TypeError('A parenthesis of the filter is not closed.');
  const text = parts.join('').trim();
  if (text === '') throw new TypeError('The filter has no condition, and would match everything.');
  return Filter.of(`(${text})`);
}

/** Follows quotes and parentheses through what the program itself has written. */
function read(text: string, state: { quote: string; depth: number }): void {
  for (const character of text) {
    if (state.quote !== '') {
      if (character === state.quote) state.quote = '';
    } else if (character === "'" || character === '"') state.quote = character;
    else if (character === '(') state.depth += 1;
    else if (character === ')') state.depth -= 1;
    if (state.depth < 0) throw new TypeError('A parenthesis of the filter closes what was not opened.');
  }
}

/** What stands right beside a placeholder could become one text with its value. */
function refuseGlued(quote: string, before: string, after: string, isFirst: boolean): void {
  if (quote !== '')
    throw new TypeError('A placeholder of a filter stands inside quotes; leave the quotes out.');
  const isFree = before === '' ? isFirst : /[\s(,=<>]$/.test(before) || KEY_FOLLOWS.test(before);
  if (!isFree || !/^(?:$|[\s),=<>!])/.test(after)) {
    throw new TypeError('A placeholder of a filter needs a space, a parenthesis or a comma on both sides.');
  }
}

const KEY_FOLLOWS = /(?:^|[\s(])(?:metadata|m)\.$/;

function written(value: unknown, before: string): string {
  if (value instanceof Filter) return `(${value.text})`;
  if (KEY_FOLLOWS.test(before)) return keyOf(value);
  return Array.isArray(value) ? list(value) : literal(value);
}

function keyOf(key: unknown): string {
  if (typeof key !== 'string' || key === '')
    throw new TypeError('A metadata key of a filter is a text that is not empty.');
  return quoted(key);
}
