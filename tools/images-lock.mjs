// Asks the registries for the digests of the images of others, and locks them: into .env for Docker Compose and for builds,
// and into the component of Kubernetes that the overlays of production use. Needs Docker with buildx.
// Usage: npm run images:lock      (again after a change of a version; commit the component)
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { argv, exit, stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { writeVariables } from './compose-init.mjs';

const COMPONENT = 'k8s/components/image-digests/kustomization.yaml';
const COMPONENTS = 'k8s/components';

/** The variable with the digest, of each image that the Dockerfile and docker-compose.yml begin with. */
export async function imagesByVariable() {
  const [, node] = /^ARG NODE=(\S+)$/m.exec(await readFile('Dockerfile', 'utf8')) ?? [];
  const compose = await readFile('docker-compose.yml', 'utf8');
  const used = [...compose.matchAll(/image: (\S+)@\$\{(\w+_DIGEST):\?/g)].map(([, image, name]) => [
    name,
    image,
  ]);
  return new Map([['NODE_DIGEST', node], ...used]);
}

async function objectsOf(file) {
  const text = await readFile(`${COMPONENTS}/${file}.yaml`, 'utf8');
  return parseAllDocuments(text).map((document) => document.toJS());
}

/** The images of the clusters: those of containers, and that of PostgreSQL, which its operator starts. */
async function imagesOfClusters() {
  const objects = (
    await Promise.all(['clusters/nats', 'clusters/qdrant', 'pooler/pooler'].map(objectsOf))
  ).flat();
  const containers = objects.flatMap(({ spec }) => spec?.template?.spec?.containers ?? []);
  const database = (await objectsOf('clusters/postgres')).find(({ kind }) => kind === 'Cluster');
  return {
    containers: [...new Set(containers.map(({ image }) => image))],
    database: database.spec.imageName,
  };
}

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

/** In place of digests that were never asked for: kubelet refuses such an image and shows its name. */
const UNLOCKED = 'sha256:run-npm-run-images-lock';

/** What the repository has: no registry decides which bytes a cluster runs before they are locked. */
export const unlockedComponent = () => componentBy(() => UNLOCKED);

async function componentBy(digestOf) {
  const { containers, database } = await imagesOfClusters();
  const digests = containers.map((image) => [image, digestOf(image)]);
  return componentOf(digests, `${database}@${digestOf(database)}`);
}

/**
 * @returns the component: the image of each container by name, with its digest; and that of PostgreSQL with both version and
 * digest, because CloudNativePG reads the version
 */
const componentOf = (digests, database) =>
  `# The images of others by digest. Written by \`npm run images:lock\`.
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
images:
${digests.map(([image, digest]) => `  - name: ${image.split(':')[0]}\n    digest: ${digest}\n`).join('')}patches:
  - target: { kind: Cluster }
    patch: |-
      - op: replace
        path: /spec/imageName
        value: ${database}
`;

async function lock() {
  requireBuildx();
  const variables = [...(await imagesByVariable())].map(([name, image]) => [name, digestOf(image)]);
  await writeVariables('.', Object.fromEntries(variables));
  await writeFile(COMPONENT, await componentBy(digestOf));
  stdout.write(`Locked ${variables.length} images in .env, and those of the clusters in ${COMPONENT}.\n`);
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  await lock().catch((error) => {
    stderr.write(`${error.message}\n`);
    exit(1);
  });
}
