/** What the form of memory calls the settings that name a model, by their names in the API. */
export const MODEL_SETTINGS = {
  'episodic_memory.long_term_memory.embedder': 'Embedder',
  'episodic_memory.long_term_memory.reranker': 'Reranker',
  'episodic_memory.short_term_memory.llm_model': 'Model that writes summaries',
  'semantic_memory.llm_model': 'Model that learns',
  'semantic_memory.embedding_model': 'Embedder of features',
} as const;
