import { countTokens } from '@loci/platform';

/** More characters for each token than any language has: what is longer cannot fit, and is not counted. */
const MAX_CHARS_PER_TOKEN = 10;

export interface BudgetedBlock<Line> {
  readonly heading: string;
  /** Of the budget, 0 to 1. */
  readonly share: number;
  /** Its share is for the best lines of the others first. */
  readonly yields?: boolean;
  readonly lines: readonly Line[];
}

/** What fits of a block. */
export interface FittingBlock<Line> {
  readonly lines: ReadonlySet<Line>;
  /** Of its heading and these lines, each with its line break. */
  readonly tokens: number;
}

/** What stands between two blocks. */
export const BLOCK_SEPARATOR = '\n\n';
export const SEPARATOR_TOKENS = countTokens(BLOCK_SEPARATOR);

/**
 * Which lines fit, whole and in the sequence of their ranks; one that does not fit makes room for the next. A block has
 * its share, and what those before it left over; the best line of each may take the share of one that yields; in the end all
 * have what is unused. Together, joined by line breaks and with an empty line between blocks, the lines and the headings of
 * their blocks have `maxTokens` at most.
 * @param textOf all that a line takes, in its longest form
 * @returns what fits of each block; to count takes most of the time that a context takes, so that nothing is counted twice
 */
export function withinBudget<Line extends { readonly rank: number }>(
  blocks: readonly BudgetedBlock<Line>[],
  maxTokens: number,
  textOf: (line: Line) => string,
): FittingBlock<Line>[] {
  const offers = blocks.map((block) => ({
    ...block,
    room: Math.floor(block.share * maxTokens),
    title: countTokens(`${BLOCK_SEPARATOR}${block.heading}\n`),
    lines: block.lines
      .toSorted((a, b) => a.rank - b.rank)
      .map((line) => new Measured(line, `${textOf(line)}\n`)),
    chosen: new Map<Line, number>(),
  }));
  /** @returns the room that is left */
  const fill = ({ title, lines, chosen }: (typeof offers)[number], room: number): number => {
    let left = room;
    for (const offered of lines) {
      if (chosen.has(offered.line) || offered.chars > left * MAX_CHARS_PER_TOKEN) continue;
      const tokens = offered.tokens + (chosen.size === 0 ? title : 0);
      if (tokens > left) continue;
      chosen.set(offered.line, tokens);
      left -= tokens;
    }
    return left;
  };
  let unused = offers.reduce((left, { room }) => left - room, maxTokens);
  const searched = offers.filter(({ yields }) => yields !== true);
  const yielding = offers.filter(({ yields }) => yields === true);
  for (const offer of searched) unused = fill(offer, unused + offer.room);
  unused = yielding.reduce((left, { room }) => left + room, unused);
  for (const offer of searched) unused = fill({ ...offer, lines: offer.lines.slice(0, 1) }, unused);
  for (const offer of yielding) unused = fill(offer, unused);
  for (const offer of offers) unused = fill(offer, unused);
  return offers.map(({ chosen }) => ({
    lines: new Set(chosen.keys()),
    tokens:
      [...chosen.values()].reduce((sum, tokens) => sum + tokens, 0) -
      (chosen.size > 0 ? SEPARATOR_TOKENS : 0),
  }));
}

/** A line that is counted once, however often it is offered. */
class Measured<Line> {
  private counted: number | undefined;

  constructor(
    readonly line: Line,
    private readonly text: string,
  ) {}

  get chars(): number {
    return this.text.length;
  }

  get tokens(): number {
    return (this.counted ??= countTokens(this.text));
  }
}
