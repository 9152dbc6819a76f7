import { beforeAll, expect, test } from '@jest/globals';
import { brokenImages, DOCKERFILE, imageOf } from './dockerfile.js';
import { allSettings, type Settings } from './processes.js';

let settings: ReadonlyMap<string, Settings>;

beforeAll(async () => {
  settings = await allSettings();
});

test('the image of every app is as it has to be', () => {
  expect(brokenImages(settings)).toEqual([]);
});

test('a target has what the stages below it say', () => {
  expect(imageOf('episodic-service')).toEqual({
    base: expect.stringMatching(/^node:24\./),
    environment: { NODE_ENV: 'production', PROBE_HOST: '0.0.0.0', PROBE_PORT: '9090' },
    user: '65532:65532',
    command: ['apps/episodic-service/dist/api.main.js'],
    healthCheck: ['node', 'healthcheck.mjs'],
    labels: {
      title: 'loci/episodic-service',
      licenses: 'Apache-2.0',
      version: '$VERSION',
      revision: '$REVISION',
    },
  });
  expect(() => imageOf('console')).toThrow('no target console');
});

const LAST = 'COPY --from=gateway-tree /tree /app\nCMD ["apps/gateway/dist/api.main.js"]\n';

test.each([
  ['stands on node:24.21.0-bookworm-slim, which', /@sha256:\w+ AS base/, ' AS base'],
  ['stands on node:25.1.0-bookworm-slim@sha256:', 'FROM node:24.21.0-', 'FROM node:25.1.0-'],
  ['stands on node:lts@sha256:', 'FROM node:24.21.0-bookworm-slim', 'FROM node:lts'],
  ['gateway: runs as root', LAST, `USER root\n${LAST}`],
  ['gateway: runs as 0:0', LAST, `USER 0:0\n${LAST}`],
  ['gateway: is not for production', 'ENV NODE_ENV=production\n', ''],
  ['gateway: sets PROT, which it does not know', ' PORT=8080', ' PORT=8080 PROT=8080'],
  ['gateway: listens nowhere', ' PORT=8080', ''],
  ['gateway: starts apps/gateway/dist/main.js', 'gateway/dist/api.main.js', 'gateway/dist/main.js'],
  ['gateway: is labelled loci/backup', 'title=loci/gateway', 'title=loci/backup'],
  ['gateway: has no label revision', /^LABEL .*revision=.*\n/m, ''],
  ['gateway: has no health check', /^HEALTHCHECK .*\n/m, ''],
  ['gateway: has no health check', '"healthcheck.mjs"', '"health.mjs"'],
  ['gateway: does not contain its tree', 'COPY --from=gateway-tree', 'COPY --from=config-service-tree'],
])('what is wrong with an image is found: %s', (problem, right, wrong) => {
  const planted = DOCKERFILE.replace(right, wrong);
  expect(planted).not.toBe(DOCKERFILE);
  expect(brokenImages(settings, planted).join('\n')).toContain(problem);
});
