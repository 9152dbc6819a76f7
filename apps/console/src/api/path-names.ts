/** What browsers take out of a path, and what looks like it once it is marked. */
const TAKEN_OUT = /^~*\.{1,2}$/;

/** A name as a part of a path: one that is only dots has a mark before it, so that browsers leave it there. */
export const toPath = (name: string): string => (TAKEN_OUT.test(name) ? `~${name}` : name);

/** The name that `toPath` made a part of a path of. */
export const fromPath = (part: string): string =>
  part.startsWith('~') && TAKEN_OUT.test(part) ? part.slice(1) : part;
