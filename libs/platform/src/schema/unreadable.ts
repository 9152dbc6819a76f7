import { type Problem } from '@loci/contracts';
import { type Fault } from './rules.js';

/** The path to a value, from the part of the request that it is in. */
export type Path = readonly (string | number)[];

/** Stands for a value that cannot be read. */
export class Unreadable {
  /** @param problemsAt what is wrong with the value, when it stands there */
  constructor(readonly problemsAt: (path: Path) => Iterable<Problem>) {}

  static as(fault: Fault): Unreadable {
    return new Unreadable((loc) => [{ loc, ...fault }]);
  }
}
