// Locks the images of others again: asks the registries which digest the tag of each has today, and writes it behind the tag, in
// the Dockerfile, in docker-compose.yml and in the manifests of k8s. Needs Docker with buildx.
// Usage: npm run images:lock      (after a change of a version, or for the repairs that a tag has got since; commit what changed)
import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { argv, exit, stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';

/** An image with its tag and its digest, as a Dockerfile, Compose and Kubernetes take it. */
const LOCKED = /(\S+:\S+)@sha256:[0-9a-f]{64}/g;

/** The files that say which images are built upon or run. */
export async function filesWithImages() {
  const manifests = await readdir('k8s', { recursive: true });
  return [
    'Dockerfile',
    'docker-compose.yml',
    ...manifests.filter((file) => file.endsWith('.yaml')).map((file) => join('k8s', file)),
  ];
}

/** @returns the text with each image by the digest that it has now */
export const lockedAnew = (text, digestOf) =>
  text.replace(LOCKED, (_, image) => `${image}@${digestOf(image)}`);

/** @throws Error with a sentence */
function requireBuildx() {
  try {
    execFileSync('docker', ['buildx', 'version'], { stdio: 'ignore' });
  } catch {
    throw new Error(
      'No image was locked: this needs Docker with its plugin buildx (docker-buildx-plugin or docker-buildx among the packages of a system); install it and try again.',
    );
  }
}

/** What all architectures of an image have in common is one digest: that of the list of them. */
function digestOf(image) {
  const args = ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}'];
  const digest = inspected(args).trim();
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`${image} has no digest: ${digest}`);
  return digest;
}

/** What went wrong, docker has said by itself. */
function inspected(args) {
  try {
    return execFileSync('docker', args, { encoding: 'utf8' });
  } catch {
    throw new Error(`No image was locked: "docker ${args.slice(0, 4).join(' ')}" failed.`);
  }
}

/** All registries are asked before the first file is written. */
async function lock() {
  requireBuildx();
  const texts = new Map();
  for (const file of await filesWithImages()) {
    const text = await readFile(file, 'utf8');
    const locked = lockedAnew(text, digestOf);
    if (locked !== text) texts.set(file, locked);
  }
  for (const [file, text] of texts) await writeFile(file, text);
  stdout.write(
    texts.size > 0
      ? `Locked anew: ${[...texts.keys()].join(', ')}. Commit what changed.\n`
      : 'Every image has the digest of its tag already.\n',
  );
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  await lock().catch((error) => {
    stderr.write(`${error.message}\n`);
    exit(1);
  });
}
