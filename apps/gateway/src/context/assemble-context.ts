import { countTokens } from '@loci/platform';
import { type BlockName, CONTEXT_BLOCKS } from './context-blocks.js';
import { contextLines, type ContextLine, type Findings } from './context-lines.js';
import { type BudgetedBlock, withinBudget } from './token-budget.js';

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
  const chosen = withinBudget(offered, maxTokens, ({ text }) => `${longestMarker} ${text}`);
  const citations: ContextCitation[] = [];
  const cite = ({ kind, id, trust, text }: ContextLine): string => {
    const marker = markerOf(citations.length + 1);
    citations.push({ marker, kind, id, trust });
    return `${marker} ${text}`;
  };
  const blocks = offered.flatMap(({ name, heading, lines: ofBlock }, index): ContextBlock<Name>[] => {
    const fitting = ofBlock.filter((line) => chosen[index]?.has(line));
    if (fitting.length === 0) return [];
    const text = [heading, ...fitting.map(cite)].join('\n');
    return [{ name, text, tokens: countTokens(text) }];
  });
  const text = blocks.map((block) => block.text).join('\n\n');
  return { text, tokens: countTokens(text), blocks, citations };
}

const markerOf = (number: number): string => `[${number}]`;
