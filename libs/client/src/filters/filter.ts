/** A condition on memories, made by `where` or the tag `filter`. Conditions are composed, never concatenated. */
export class Filter {
  private constructor(
    /** As the API takes it. */
    readonly text: string,
    private readonly joinedBy: 'AND' | 'OR' | undefined,
  ) {}

  /** @param text a complete condition; @param joinedBy what its outermost parts are joined by, if it has several */
  static of(text: string, joinedBy?: 'AND' | 'OR'): Filter {
    return new Filter(text, joinedBy);
  }

  /** Both hold. */
  and(...others: readonly Filter[]): Filter {
    return allOf(this, ...others);
  }

  /** One of them holds, or several do. */
  or(...others: readonly Filter[]): Filter {
    return anyOf(this, ...others);
  }

  /** As an operand of AND or OR: in parentheses unless that changes nothing. */
  within(operator: 'AND' | 'OR'): string {
    return this.joinedBy === undefined || this.joinedBy === operator ? this.text : `(${this.text})`;
  }

  toString(): string {
    return this.text;
  }
}

/** All of them hold. @throws TypeError for none */
export const allOf = (...filters: readonly Filter[]): Filter => joined('AND', filters);

/** One of them holds, or several do. @throws TypeError for none */
export const anyOf = (...filters: readonly Filter[]): Filter => joined('OR', filters);

/** It does not hold; so it is, too, for a memory that lacks the field. */
export const not = (filter: Filter): Filter => Filter.of(`NOT (${filter.text})`);

function joined(operator: 'AND' | 'OR', filters: readonly Filter[]): Filter {
  const [first] = filters;
  if (!first) throw new TypeError('There is no condition to join.');
  if (filters.length === 1) return first;
  return Filter.of(filters.map((filter) => filter.within(operator)).join(` ${operator} `), operator);
}
