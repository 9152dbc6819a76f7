import { expect, test } from '@jest/globals';
import { unavailable } from '@loci/contracts';
import { type Registry } from '@loci/registry';
import { type OpenProject } from '../projects/project.js';
import { Rerankers } from './rerankers.js';

const PROJECT: OpenProject = { uid: 'uid', tenant: { orgId: 'acme', projectId: 'p' } };

/** What is asked for, in a deployment with a reranker of its own. */
async function askedFor(chosen: () => Promise<string>, ofDeployment: string): Promise<string> {
  const registry = {
    memory: { episodic: { longTerm: { reranker: ofDeployment } } },
    reranker: (name: string) => Promise.reject(unavailable('resource_not_ready', name)),
  } as unknown as Registry;
  const source = await new Rerankers(registry, { rerankerOf: chosen }).of(PROJECT);
  if (!source) return 'none';
  return source().then(
    () => 'some',
    (error: unknown) => (error as Error).message,
  );
}

test.each([
  ['own', 'default', 'own'],
  ['', 'default', 'default'],
  ['', '', 'none'],
  ['identity', 'default', 'none'],
])('a project that chose %j, in a deployment with %j, has %j', async (chosen, ofDeployment, expected) => {
  expect(await askedFor(() => Promise.resolve(chosen), ofDeployment)).toBe(expected);
});

test('while it is not known which it is, there is none, which the search survives', async () => {
  const down = () => Promise.reject(unavailable('service_unavailable', 'config-service is down'));
  expect(await askedFor(down, '')).toBe('config-service is down');
});

test('a defect is not taken for an outage', async () => {
  await expect(askedFor(() => Promise.reject(new TypeError('defect')), '')).rejects.toThrow('defect');
});
