import { estimateTokenCount } from 'tokenx';

/**
 * Roughly how many tokens a model makes of the text, for keeping batches within what it reads; an exact count
 * would take the tables of each model's tokenizer.
 */
export const countTokens = (text: string): number => estimateTokenCount(text);
