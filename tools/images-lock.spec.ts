import { expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { componentOf, imagesByVariable, unlockedComponent } from './images-lock.mjs';

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

test('the component of Kubernetes names each image with its digest', () => {
  expect(parse(componentOf([]))).toMatchObject({ images: [] });
  const digest = `sha256:${'0'.repeat(64)}`;
  expect(parse(componentOf([['qdrant/qdrant:v1.16.3-unprivileged', digest]]))).toMatchObject({
    kind: 'Component',
    images: [{ name: 'qdrant/qdrant', digest }],
  });
});

test('the overlays of production take images of others by digest alone: locked ones, or ones that no cluster runs', async () => {
  const imagesIn = (text: string) => (parse(text) as { images: { name: string; digest: string }[] }).images;
  const images = imagesIn(await readFile('k8s/components/image-digests/kustomization.yaml', 'utf8'));
  const wanted = imagesIn(await unlockedComponent());
  expect(images.map(({ name }) => name)).toEqual(wanted.map(({ name }) => name));
  for (const { digest } of images) {
    expect(digest).toMatch(/^sha256:(?:[0-9a-f]{64}|run-npm-run-images-lock)$/);
  }
});
