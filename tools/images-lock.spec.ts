import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { componentOf, imagesByVariable } from './images-lock.mjs';

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
