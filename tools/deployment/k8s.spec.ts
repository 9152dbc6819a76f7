import { expect, test } from '@jest/globals';
import { problemsOf } from './kubernetes-schemas.js';
import { type Manifest } from './manifests.js';
import { OVERLAYS, RECOVERY, render } from './render.js';

test.each([...OVERLAYS, RECOVERY] as const)(
  'every object of %s is what its API version allows',
  async (overlay) => {
    const problems: string[] = [];
    // one after the other: under Jest, modules that are imported side by side miss each other
    for (const manifest of render(overlay)) problems.push(...(await problemsOf(manifest)));
    expect(problems).toEqual([]);
  },
);

/** An object of production with a change that its schema must find. */
const planted = (kind: string, spec: object): Manifest => {
  const found = render('production').find((manifest) => manifest.kind === kind) as Manifest & {
    spec: object;
  };
  return { ...found, ...{ spec: { ...found.spec, ...spec } } };
};

const pod = (container: object): Manifest => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } },
  ...{ spec: { containers: [{ name: 'c', ...container }] } },
});

test.each([
  ['p: Pod.spec.containers.0.imagePullPolice is not known', pod({ imagePullPolice: 'Always' })],
  ['image must be string', pod({ image: 5 })],
  ['no Pood', { ...pod({}), kind: 'Pood' }],
  ['instances must be integer', planted('Cluster', { instances: 'three' })],
  [
    'dataDurability must be equal to one of the allowed values',
    planted('Cluster', { postgresql: { synchronous: { method: 'any', number: 1, dataDurability: 'some' } } }),
  ],
  [
    'Cluster.spec.managed.roles.0.bypassRLS is not known',
    planted('Cluster', { managed: { roles: [{ name: 'loci', bypassRLS: true }] } }),
  ],
  ['triggers must be array', planted('ScaledObject', { triggers: {} })],
  ['cooldown is not known', planted('ScaledObject', { cooldown: 1 })],
  ['remoteRef', planted('ExternalSecret', { data: [{ secretKey: 'url' }] })],
  ['ExternalSecret.spec.refresh is not known', planted('ExternalSecret', { refresh: '1h' })],
  ['selector', planted('PodMonitor', { selector: undefined })],
  ['PodMonitor.spec.endpoints is not known', planted('PodMonitor', { endpoints: [] })],
])('what a schema forbids is found: %s', async (problem, manifest) => {
  expect((await problemsOf(manifest)).join()).toContain(problem);
});
