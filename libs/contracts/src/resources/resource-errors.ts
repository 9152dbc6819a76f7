import { type AppError, notFound, type Problem } from '../errors/app-error.js';
import { type ResourceKind } from './resource.contract.js';

const NOUNS: Readonly<Record<ResourceKind, string>> = {
  language_model: 'Language model',
  embedder: 'Embedder',
  reranker: 'Reranker',
};

/** What paths call them. */
const PATHS: Readonly<Record<ResourceKind, string>> = {
  language_model: 'language_models',
  embedder: 'embedders',
  reranker: 'rerankers',
};

/** A resource as messages show it: `Embedder 'x'`. */
export const resourceTitle = (kind: ResourceKind, name: string): string => `${NOUNS[kind]} '${name}'`;

export const resourceNotFound = (kind: ResourceKind, name: string): AppError =>
  notFound('resource_not_found', `${resourceTitle(kind, name)} not found.`);

/** A name in a request that stands for no resource; for AppError `unknown_resource`. */
export const unknownResource = (kind: ResourceKind, name: string, loc: Problem['loc']): Problem => ({
  loc,
  msg: `invalid argument: ${resourceTitle(kind, name)} is not defined in the configuration; add it with POST /api/v2/config/resources/${PATHS[kind]}.`,
  type: 'unknown_resource',
});
