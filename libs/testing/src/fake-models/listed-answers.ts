import { hashedEmbedding, wordOverlap } from './hashed-embedding.js';
import { type Json, listIn, textIn } from './provider-answer.js';

/** Embeddings in the form that several providers took over from OpenAI. */
export const listedEmbeddings = (texts: readonly string[], dimensions: number): readonly Json[] =>
  texts.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: hashedEmbedding(text, dimensions),
  }));

/** The documents of a request to rerank, the best first, in the form of Cohere, Jina and Voyage. */
export const listedRelevance = ({ query, documents }: Json): readonly Json[] =>
  listIn(documents)
    .map((text, index) => ({ index, relevance_score: wordOverlap(textIn(query), textIn(text)) }))
    .sort((a, b) => b.relevance_score - a.relevance_score);
