import { expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
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
