import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { type Manifest } from './deployment/manifests.js';
import { render } from './deployment/render.js';
import { imagesByVariable, unlockedComponent } from './images-lock.mjs';

interface PodTemplate {
  readonly template?: { readonly spec?: { readonly containers?: readonly { readonly image: string }[] } };
  /** Of a Cluster of CloudNativePG. */
  readonly imageName?: string;
}

test('every image that is not built here is asked for, by the tag that the files name', async () => {
  expect(Object.fromEntries(await imagesByVariable())).toEqual({
    NODE_DIGEST: expect.stringMatching(/^node:24\./),
    NATS_DIGEST: expect.stringMatching(/^nats:2\./),
    POSTGRES_DIGEST: expect.stringMatching(/^postgres:17\./),
    QDRANT_DIGEST: expect.stringMatching(/^qdrant\/qdrant:v1\./),
    PROMETHEUS_DIGEST: expect.stringMatching(/^prom\/prometheus:v/),
    GRAFANA_DIGEST: expect.stringMatching(/^grafana\/grafana:/),
    JAEGER_DIGEST: expect.stringMatching(/^jaegertracing\/jaeger:/),
  });
});

test.each(['production', 'production-hpa'] as const)(
  '%s takes images of others by digest alone: locked ones, or ones that no cluster runs',
  (overlay) => {
    const pods = render(overlay).map((manifest) => manifest as Manifest & { spec?: PodTemplate });
    const images = pods.flatMap(({ spec }) => [
      ...(spec?.template?.spec?.containers ?? []).map(({ image }) => image),
      ...(spec?.imageName === undefined ? [] : [spec.imageName]),
    ]);
    const others = images.filter((image) => !image.startsWith('loci/'));
    expect(others).toHaveLength(4);
    for (const image of others) expect(image).toMatch(/@sha256:(?:[0-9a-f]{64}|run-npm-run-images-lock)$/);
  },
);

test('the component names what the manifests of the clusters name', async () => {
  const written = await readFile('k8s/components/image-digests/kustomization.yaml', 'utf8');
  const withoutDigests = (text: string): string => text.replaceAll(/sha256:[\w-]+/g, 'sha256:');
  expect(withoutDigests(written)).toBe(withoutDigests(await unlockedComponent()));
});

test('without Docker and buildx it says in one line what to install', () => {
  const env = { PATH: '/nonexistent' };
  const { status, stderr } = spawnSync(process.execPath, ['tools/images-lock.mjs'], {
    env,
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^No image was locked: .* buildx .*\n$/);
});

const LOCKED = /@(?:sha256:[0-9a-f]{64}|\$\{\w+_DIGEST(?::\?[^}]*)?\})$/;

test('what is built begins with an image by digest, and what compose runs is built here or has one', async () => {
  const dockerfile = await readFile('Dockerfile', 'utf8');
  const stages = [...dockerfile.matchAll(/^FROM (\S+) AS (\S+)$/gm)];
  const names = new Set(stages.map(([, , name]) => name));
  const bases = stages.map(([, base = '']) => base).filter((base) => !names.has(base));
  const compose = await readFile('docker-compose.yml', 'utf8');
  const run = [...compose.matchAll(/^\s+image: (.+)$/gm)].map(([, image = '']) => image);
  const others = run.filter((image) => !image.startsWith('loci/'));
  expect([bases.length, others.length]).toEqual([2, 6]);
  for (const image of [...bases, ...others]) expect(image).toMatch(LOCKED);
});

test('workflows take actions by commit, and images of others by digest alone', async () => {
  const folder = '.github/workflows';
  const texts = await Promise.all(
    (await readdir(folder)).map((name) => readFile(`${folder}/${name}`, 'utf8')),
  );
  const workflows = texts.join('\n');
  const actions = [...workflows.matchAll(/^\s*(?:- )?uses: (\S+)/gm)].map(([, action = '']) => action);
  expect(actions.length).toBeGreaterThan(0);
  for (const action of actions) expect(action).toMatch(/@[0-9a-f]{40}$/);
  const images = [...workflows.matchAll(/^\s*(?:image|container): (\S+)$/gm)].map(([, image = '']) => image);
  for (const image of images) expect(image).toMatch(LOCKED);
});
