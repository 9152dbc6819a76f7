import { type BlockName, CONTEXT_BLOCKS } from './context-blocks.js';
import { contextLines, type ContextLine, type Findings } from './context-lines.js';
import { BLOCK_SEPARATOR, type BudgetedBlock, SEPARATOR_TOKENS, withinBudget } from './token-budget.js';

export interface ContextBlock<Name extends string = BlockName> {
  readonly name: Name;
  /** Its heading and its lines. */
  readonly text: string;
  readonly tokens: number;
}

/** What a line of a context rests on. */
export interface ContextCitation extends Pick<ContextLine, 'kind' | 'id' | 'trust'> {
  /** What the line begins with: `[1]`. */
  readonly marker: string;
}

export interface Context<Name extends string = BlockName> {
  readonly text: string;
  readonly tokens: number;
  /** Those that are not empty. */
  readonly blocks: readonly ContextBlock<Name>[];
  /** In the sequence of the lines. */
  readonly citations: readonly ContextCitation[];
}

/** What may go into a block. */
export interface OfferedBlock<Name extends string> extends BudgetedBlock<ContextLine> {
  readonly name: Name;
}

/** What was found as blocks and as one text of `maxTokens` at most, the same for the same findings. */
export function assembleContext(findings: Findings, maxTokens: number): Context {
  const lines = contextLines(findings);
  return assembleBlocks(
    CONTEXT_BLOCKS.map((block) => ({ ...block, lines: lines[block.name] })),
    maxTokens,
  );
}

/** Blocks as one text of `maxTokens` at most. */
export function assembleBlocks<Name extends string>(
  offered: readonly OfferedBlock<Name>[],
  maxTokens: number,
): Context<Name> {
  const longestMarker = markerOf(offered.reduce((sum, block) => sum + block.lines.length, 0));
  const fitting = withinBudget(offered, maxTokens, ({ text }) => `${longestMarker} ${text}`);
  const citations: ContextCitation[] = [];
  const cite = ({ kind, id, trust, text }: ContextLine): string => {
    const marker = markerOf(citations.length + 1);
    citations.push({ marker, kind, id, trust });
    return `${marker} ${text}`;
  };
  const blocks = offered.flatMap(({ name, heading, lines: ofBlock }, index): ContextBlock<Name>[] => {
    const { lines, tokens } = fitting[index] ?? NOTHING;
    if (lines.size === 0) return [];
    const text = [heading, ...ofBlock.filter((line) => lines.has(line)).map(cite)].join('\n');
    return [{ name, text, tokens }];
  });
  return {
    text: blocks.map(({ text }) => text).join(BLOCK_SEPARATOR),
    tokens: blocks.reduce((sum, { tokens }, index) => sum + tokens + (index > 0 ? SEPARATOR_TOKENS : 0), 0),
    blocks,
    citations,
  };
}

const NOTHING = { lines: new Set<ContextLine>(), tokens: 0 };

const markerOf = (number: number): string => `[${number}]`;
