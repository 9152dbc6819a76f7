import { type SyntaxError } from './filter-grammar.generated.js';

/** What is at an offset of the text, as a reader sees it: a word, a quoted text, or one character. */
const LEXEME = /^(?:[A-Za-z0-9_.]+|'[^']*'?|"[^"]*"?|[\s\S])/u;

const MAX_SHOWN = 30;

/** Everything outside of the grammar's alphabet that stands right behind an unquoted metadata key. */
const KEY_BEFORE = /(?:^|[\s(])(?:metadata|m)\.[A-Za-z0-9_.]*$/;

/** @returns what was found and what was expected instead, without a full stop */
export function describeSyntaxError(text: string, error: SyntaxError): string {
  const { offset } = error.location.start;
  const found = LEXEME.exec(text.slice(offset))?.[0];
  const shown = found === undefined ? 'the end' : JSON.stringify(shorten(found));
  return `found ${shown}, expected ${expectations(error)}${hint(text, offset, found)}`;
}

function expectations({ expected }: SyntaxError): string {
  const names = (expected ?? []).map((one) => one.description ?? named(one));
  const list = [...new Set(names)].filter((name) => name !== 'white space').sort();
  const last = list.pop() ?? 'something else';
  return list.length === 0 ? last : `${list.join(', ')} or ${last}`;
}

const named = ({ type, text = '' }: { type: string; text?: string }): string =>
  type === 'end' ? 'the end of the filter' : `"${text}"`;

const hint = (text: string, offset: number, found = ''): string =>
  /[^\s()=!<>,]/u.test(found.charAt(0)) && KEY_BEFORE.test(text.slice(0, offset))
    ? "; a key with other characters is written in quotes: metadata.'any key'"
    : '';

const shorten = (text: string): string => {
  const letters = [...text];
  return letters.length <= MAX_SHOWN ? text : `${letters.slice(0, MAX_SHOWN).join('')}…`;
};
