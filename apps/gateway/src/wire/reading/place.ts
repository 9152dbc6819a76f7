import { type Problem } from '@loci/contracts';
import { type Describe } from './json-schema.js';
import { type Limit, type WireLimits } from './wire-limits.js';

/** An answer that lists more problems helps nobody, and could be far larger than the request. */
const MAX_PROBLEMS = 1_000;

/** Keys come from clients and may be long. */
const MAX_KEY_CHARS = 128;

/** Stands for a value that was refused; its place knows why. */
export const REFUSED = Symbol('refused');
export type Refused = typeof REFUSED;

/** Turns one JSON value into what we work with, or refuses it. */
export interface Reader<T> {
  (value: unknown, place: Place): T | Refused;
  readonly describe: Describe;
}

/** A reader that can say what it reads: the API document is made of these descriptions. */
export const reader = <T>(
  describe: Describe,
  read: (value: unknown, place: Place) => T | Refused,
): Reader<T> => Object.assign(read, { describe });

/** What of a request is read. */
export type RequestPart = 'body' | 'query' | 'arguments';

/** Where in a request a value stands. All places of one request share its limits and gather its problems. */
export class Place {
  private constructor(
    private readonly limits: WireLimits,
    readonly problems: Problem[],
    private readonly key: string | number,
    private readonly parent?: Place,
  ) {}

  /** The outermost place of a body, a query, or the arguments of a tool. */
  static root(part: RequestPart, limits: WireLimits): Place {
    return new Place(limits, [], part);
  }

  at(key: string | number): Place {
    const shown = typeof key === 'string' ? key.slice(0, MAX_KEY_CHARS) : key;
    return new Place(this.limits, this.problems, shown, this);
  }

  limit(limit: Limit): number {
    return typeof limit === 'number' ? limit : this.limits[limit];
  }

  /** Notes that the value here is wrong. @param type a slug in the style of pydantic 2 */
  refuse(type: string, msg: string): Refused {
    return this.report({ loc: this.path(), msg, type });
  }

  report(problem: Problem): Refused {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(problem);
    return REFUSED;
  }

  private path(): (string | number)[] {
    return [...(this.parent?.path() ?? []), this.key];
  }
}
