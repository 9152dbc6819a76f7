/** Longer texts are not looked at: an expression takes its time with each character. */
const LONGEST_NUMBER = 202;
const LONGEST_INSTANT = 36;

/**
 * A plain decimal number. Bounded, because `numeric` has a limit; digits are spelled out, because in some locales `\d`
 * takes the digits of other scripts too, which the cast refuses.
 */
export const isNumber = (text: string): string =>
  `(octet_length(${text}) <= ${LONGEST_NUMBER} AND ${text} ~ '^-?[0-9]{1,100}([.][0-9]{1,100})?$')`;

const TIME = '([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.,][0-9]{1,9})?)?';
const OFFSET = '([Zz]|[+-](0[0-9]|1[0-5])(:?[0-5][0-9])?)';

/** As `instantFromIso` of the contracts reads it. */
const ISO_8601 = `^[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ]${TIME}( ?${OFFSET})?)?$`;
const HAS_OFFSET = `[0-9]( ?${OFFSET})$`;

/**
 * The moment that a text names, or NULL. UTC where no offset is given; digits beyond microseconds are cut, where a cast
 * alone would round. A text that only looks like a date is NULL, not an error.
 */
export function asInstant(text: string): string {
  const exact = `regexp_replace(${text}, '[.,]([0-9]{1,6})[0-9]*', '.\\1')`;
  const moment =
    `CASE WHEN ${text} ~ ':.*${HAS_OFFSET}' THEN ${exact}::timestamptz ` +
    `ELSE ${exact}::timestamp AT TIME ZONE 'UTC' END`;
  return (
    `CASE WHEN octet_length(${text}) <= ${LONGEST_INSTANT} AND ${text} ~ '${ISO_8601}' THEN ` +
    `CASE WHEN pg_input_is_valid(${exact}, 'timestamptz') THEN ${moment} END END`
  );
}
