import {
  byDefault,
  filledText,
  nullAsAbsent,
  nullish,
  number,
  ruled,
  text,
  withKeywords,
} from '@loci/platform/schema';
import { type Static, type TSchema, type TUnsafe, Type } from 'typebox';
import { httpAddress } from '../egress/http-address.js';

const MAX_TEXT_CHARS = 4096;

export const anyText = text(MAX_TEXT_CHARS);

export const someText = filledText(MAX_TEXT_CHARS);

const ADDRESS = Symbol('address');

/** The base of an HTTP API, to which paths are appended. Credentials belong into their own keys, so they may not stand in the address. */
export const httpUrl = ruled(
  withKeywords(
    Type.Refine(anyText, (value) => faultOf(value) === undefined),
    { [ADDRESS]: true },
  ),
  {
    fault: (value, keyword) => {
      const msg = keyword === '~refine' ? faultOf(value) : undefined;
      return msg === undefined ? undefined : { type: 'url_parsing', msg };
    },
  },
);

function faultOf(value: unknown): string | undefined {
  const address = httpAddress(String(value));
  if (typeof address === 'string') return address;
  return address.search + address.hash === ''
    ? undefined
    : 'Input should be a URL without a query and a fragment';
}

export const wholeNumber = (bounds: { minimum: number; maximum: number }): TUnsafe<number> =>
  number({ ...bounds, multipleOf: 1 });

/** The key has to be there; null is as good as none. */
export const required = nullAsAbsent;

/** The key may be absent or null. */
export const optional = nullish;

/** The key may be absent or null; then it has this value. */
export const withDefault = <Schema extends TSchema>(schema: Schema, value: Static<Schema>): Schema =>
  byDefault(nullAsAbsent(schema), value);

/** The value of this key is a secret: stored as a reference or sealed, never shown. */
export const secret = <Schema extends TSchema>(schema: Schema): Schema =>
  withKeywords(schema, { writeOnly: true });

export const isSecret = (schema: TSchema): boolean => 'writeOnly' in schema && schema.writeOnly === true;

/** The value of this key is an address that requests are sent to. */
export const isAddress = (schema: TSchema): boolean => ADDRESS in schema;
