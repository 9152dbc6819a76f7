import { expect, test } from '@jest/globals';
import { AppError, type RequestedProjectConfig } from '@loci/contracts';
import { DEFAULT_PROJECT_CONFIG, resolveProjectConfig } from './project-config.js';

const nothing: RequestedProjectConfig = {
  embedder: '',
  reranker: '',
  vectorGraphStore: '',
  vectorStore: '',
  segmentStore: '',
  propertiesSchema: {},
};

test('what a project leaves open is what the deployment uses', () => {
  expect(resolveProjectConfig(undefined)).toEqual(DEFAULT_PROJECT_CONFIG);
  expect(resolveProjectConfig(nothing)).toEqual(DEFAULT_PROJECT_CONFIG);
});

test('the stores of the other backend come back empty', () => {
  expect(
    resolveProjectConfig({ ...nothing, backend: 'declarative', vectorGraphStore: 'graph' }),
  ).toMatchObject({
    backend: 'declarative',
    vectorGraphStore: 'graph',
    vectorStore: '',
    segmentStore: '',
  });
  expect(resolveProjectConfig({ ...nothing, vectorGraphStore: 'graph' }).vectorGraphStore).toBe('');
});

test('every unknown model is named', () => {
  try {
    resolveProjectConfig({ ...nothing, embedder: 'x', reranker: 'y' });
    throw new Error('accepted');
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).code).toBe('unknown_resource');
    expect((error as AppError).details.problems?.map(({ loc }) => loc.at(-1))).toEqual([
      'embedder',
      'reranker',
    ]);
  }
});
