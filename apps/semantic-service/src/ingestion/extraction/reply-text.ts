import { isUnseen, storableText } from '@loci/platform/schema';

/**
 * A text of a model's reply as it can be stored, without blanks around it. Empty for one of which nothing is seen, such as
 * spaces of no width, and for what is no text.
 */
export function replyText(given: unknown): string {
  if (typeof given !== 'string') return '';
  const text = storableText(given);
  return isUnseen(text) ? '' : text.trim();
}

/** The value of a fact: models that do not keep to the schema write `34` or `true` where that is all. */
export const replyValue = (given: unknown): string =>
  replyText(typeof given === 'number' || typeof given === 'boolean' ? String(given) : given);
