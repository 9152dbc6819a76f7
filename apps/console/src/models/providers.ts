import { EMBEDDERS } from './embedders.js';
import { LANGUAGE_MODELS } from './language-models.js';
import { RERANKERS } from './rerankers.js';
import { type Provider } from './setting-fields.js';

/** The kinds of models by their names in paths. */
export const KINDS = {
  language_models: 'Language models',
  embedders: 'Embedders',
  rerankers: 'Rerankers',
} as const;
export type Kind = keyof typeof KINDS;

export const KIND_NAMES: readonly Kind[] = ['language_models', 'embedders', 'rerankers'];

export const PROVIDERS: Readonly<Record<Kind, readonly Provider[]>> = {
  language_models: LANGUAGE_MODELS,
  embedders: EMBEDDERS,
  rerankers: RERANKERS,
};
