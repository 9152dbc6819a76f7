import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { compile } from 'tailwindcss';
import { defineConfig } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Where `npm start` listens; `npm run dev -w apps/console` passes requests on to it. */
const LOCI = 'http://127.0.0.1:8080';

/** Every word of the sources: Tailwind makes styles of those that are names of classes. */
async function words() {
  const files = await readdir(join(root, 'src'), { recursive: true });
  const sources = files.filter((file) => /(?<!\.spec)\.tsx?$/.test(file));
  const texts = await Promise.all(sources.map((file) => readFile(join(root, 'src', file), 'utf8')));
  return [...new Set(texts.flatMap((text) => text.split(/[\s'"`]+/)))];
}

/** Tailwind by its compiler alone: its plug-in needs programs that are not there for every platform. */
const tailwind = {
  name: 'tailwind',
  enforce: 'pre',
  async transform(code, id) {
    if (!id.endsWith('/src/styles.css')) return undefined;
    const { build } = await compile(code, { base: root, loadStylesheet });
    return { code: build(await words()), map: null };
  },
};

async function loadStylesheet(name, base) {
  const path = createRequire(import.meta.url).resolve(
    name === 'tailwindcss' ? 'tailwindcss/index.css' : name,
  );
  return { path, base, content: await readFile(path, 'utf8') };
}

/** Notes whose code is in the bundles, for the notices of the image (tools/image/tree.mjs). */
const listsPackages = {
  name: 'lists-packages',
  generateBundle(_options, bundle) {
    const ids = Object.values(bundle).flatMap((chunk) => Object.keys(chunk.modules ?? {}));
    const folders = ids.flatMap((id) => /^.*node_modules\/(?:@[^/]+\/)?[^/\0]+/.exec(id) ?? []);
    const packages = [...new Set(folders.map((folder) => relative(repository, folder)))].sort();
    this.emitFile({
      type: 'asset',
      fileName: 'bundled-packages.json',
      source: `${JSON.stringify(packages, undefined, 2)}\n`,
    });
  },
};

export default defineConfig({
  root,
  base: '/console/',
  plugins: [react(), tailwind, listsPackages],
  resolve: { conditions: ['@loci/source', 'module', 'browser', 'development|production'] },
  // the gateway puts a number used once here: only styles that carry it are allowed
  html: { cspNonce: 'LOCI_NONCE' },
  build: {
    target: 'es2022',
    emptyOutDir: true,
    reportCompressedSize: false,
    // a file within another one would be refused by the policy of the page
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    manifest: 'manifest.json',
  },
  server: { proxy: { '/api': LOCI, '/console/session': LOCI, '/health': LOCI, '/metrics': LOCI } },
});
