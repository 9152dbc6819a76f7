import { visible } from './visible.js';

/** A text of strangers, beside which nothing is turned around, and in which what turns letters around can be read. */
export function Said({ text }: { readonly text: string }) {
  return <bdi>{visible(text)}</bdi>;
}
