import { storableText } from '@loci/platform/schema';

const UNSEEN = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]*$/u;

/**
 * A text of a model's reply as it can be stored, without blanks around it. Empty for one of which nothing is seen, such as
 * spaces of no width, and for what is no text.
 */
export function replyText(given: unknown): string {
  if (typeof given !== 'string') return '';
  const text = storableText(given);
  return UNSEEN.test(text) ? '' : text.trim();
}
