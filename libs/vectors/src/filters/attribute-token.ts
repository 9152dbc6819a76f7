import { createHash } from 'node:crypto';
import { type PointPayload } from '../vector-index.js';

/** Metadata keys belong to users, field names to us: they never meet. */
export type AttributeSource = 'metadata' | 'field';

/** What a token says of a key: that it is there, that it has this text, that it reads as this number. */
export type AttributeFact =
  | readonly [fact: 'present']
  | readonly [fact: 'text', value: string]
  | readonly [fact: 'number', value: number];

/**
 * One fact about a point as a keyword: 128 bits of SHA-256, so that keys and values of any length and any
 * characters are matched whole and cost 22 bytes, and no text of a user is kept in the index.
 */
export function attributeToken(source: AttributeSource, key: string, fact: AttributeFact): string {
  const statement = JSON.stringify([source, key, ...fact]);
  return createHash('sha256').update(statement).digest('base64url').slice(0, 22);
}

/** Every fact that a filter may ask for. */
export function attributeTokens({ metadata, fields }: PointPayload): string[] {
  return [...tokensOf('metadata', metadata), ...tokensOf('field', fields)];
}

function tokensOf(source: AttributeSource, attributes: Readonly<Record<string, string>>): string[] {
  return Object.entries(attributes).flatMap(([key, value]) => {
    const number = numberFrom(value);
    return [
      attributeToken(source, key, ['present']),
      attributeToken(source, key, ['text', value]),
      ...(number === undefined ? [] : [attributeToken(source, key, ['number', number])]),
    ];
  });
}

/** Generous on purpose: whatever a filter may take for a number has its token. */
function numberFrom(text: string): number | undefined {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}
