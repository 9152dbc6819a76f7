import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { filesWithImages, lockedAnew } from './images-lock.mjs';

const LOCKED = /@sha256:[0-9a-f]{64}$/;

const OLD = `sha256:${'a'.repeat(64)}`;
const NEW = `sha256:${'b'.repeat(64)}`;

test('the digest of each image is asked for by its tag, in a Dockerfile, in Compose and in a manifest', () => {
  const asked: string[] = [];
  const text = [
    `FROM node:24.21.0-bookworm-slim@${OLD} AS base`,
    `    image: qdrant/qdrant:v1.16.3@${OLD}`,
    `  imageName: ghcr.io/cloudnative-pg/postgresql:17.10@${OLD}`,
    '    image: loci/gateway:0.1.0',
  ].join('\n');
  const locked = lockedAnew(text, (image: string) => {
    asked.push(image);
    return NEW;
  });
  expect(asked).toEqual([
    'node:24.21.0-bookworm-slim',
    'qdrant/qdrant:v1.16.3',
    'ghcr.io/cloudnative-pg/postgresql:17.10',
  ]);
  expect(locked).toBe(text.replaceAll(OLD, NEW));
});

test('every image of others that the files name has a digest', async () => {
  const texts = await Promise.all((await filesWithImages()).map((file) => readFile(file, 'utf8')));
  const names = [...texts.join('\n').matchAll(/^\s*(?:- )?(?:image|imageName): (\S+)$/gm)].map(
    ([, image = '']) => image,
  );
  const others = names.filter((image) => !image.startsWith('loci/'));
  expect(others).toHaveLength(14);
  for (const image of others) expect(image).toMatch(LOCKED);
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

test('every stage begins with an image by its digest, or with another stage', async () => {
  const dockerfile = await readFile('Dockerfile', 'utf8');
  const stages = [...dockerfile.matchAll(/^FROM (\S+) AS (\S+)$/gm)];
  const names = new Set(stages.map(([, , name]) => name));
  const bases = stages.map(([, base = '']) => base).filter((base) => !names.has(base));
  expect(bases).toEqual([expect.stringMatching(LOCKED)]);
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
