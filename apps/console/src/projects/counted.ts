import { type Wire } from '../api/loci.js';

/** How many messages a project has, or how many it has at least. */
export type Counted = Wire['EpisodeCountResponse'];

/** How many there are, in words. */
export const countInWords = ({ count, at_least: isAtLeast = false }: Counted): string =>
  `${isAtLeast ? 'at least ' : ''}${count.toLocaleString('en')}`;

/** Whether it is certain that there are none. */
export const isNone = (counted: Counted | undefined): boolean =>
  counted?.count === 0 && counted.at_least !== true;
