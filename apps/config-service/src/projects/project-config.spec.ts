import { expect, test } from '@jest/globals';
import { type RequestedProjectConfig } from '@loci/contracts';
import { MEMORY_DEFAULTS } from '../memory-configuration/memory-defaults.js';
import { modelsNamedIn, resolveProjectConfig } from './project-config.js';

const nothing: RequestedProjectConfig = {
  embedder: '',
  reranker: '',
  vectorGraphStore: '',
  vectorStore: '',
  segmentStore: '',
  propertiesSchema: {},
};

const defaults = MEMORY_DEFAULTS.episodic.longTerm;
const resolve = (requested?: RequestedProjectConfig) => resolveProjectConfig(requested, defaults);

test('what a project leaves open is what the deployment uses', () => {
  expect(resolve()).toMatchObject({ backend: 'event', embedder: 'local', vectorStore: 'qdrant' });
  expect(resolve(nothing)).toEqual(resolve());
  const other = resolveProjectConfig(nothing, { ...defaults, embedder: 'a', reranker: 'b' });
  expect(other).toMatchObject({ embedder: 'a', reranker: 'b' });
});

test('what a project names is what it gets', () => {
  expect(resolve({ ...nothing, embedder: 'x', reranker: 'y' })).toMatchObject({
    embedder: 'x',
    reranker: 'y',
  });
});

test('the stores of the other backend come back empty', () => {
  expect(resolve({ ...nothing, backend: 'declarative', vectorGraphStore: 'graph' })).toMatchObject({
    backend: 'declarative',
    vectorGraphStore: 'graph',
    vectorStore: '',
    segmentStore: '',
  });
  expect(resolve({ ...nothing, vectorGraphStore: 'graph' }).vectorGraphStore).toBe('');
});

test('every model that is named has to be known, and has its path in the request', () => {
  expect(modelsNamedIn({ ...nothing, embedder: 'x', reranker: 'y' })).toEqual([
    { kind: 'embedder', name: 'x', loc: ['body', 'config', 'embedder'] },
    { kind: 'reranker', name: 'y', loc: ['body', 'config', 'reranker'] },
  ]);
  expect(modelsNamedIn(nothing)).toEqual([]);
  expect(modelsNamedIn(undefined)).toEqual([]);
});
