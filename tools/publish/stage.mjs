// The packages that are published, as npm gets them: ES modules and CommonJS with types of both, without what only this
// repository needs.
import { build } from 'esbuild';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Their folders; the client first, because the others stand on it. */
export const PUBLISHED = ['client', 'ai-sdk', 'langchain', 'mastra', 'openai-agents'].map(
  (name) => `libs/${name}`,
);

const CLIENT = '@loci/client';

/** Where one is, when `stage` has written them below a folder. */
export const stagedAt = (to, folder) => join(to, basename(folder));

/** Writes them below a folder. */
export async function stage(to) {
  for (const folder of PUBLISHED) {
    const target = stagedAt(to, folder);
    await Promise.all([writeCode(folder, target), writeManifest(folder, target)]);
    // types are copied into folders that writing the code makes
    await writeTypes(folder, target, to);
    await cp(join(root, folder, 'README.md'), join(target, 'README.md'));
    await cp(join(root, 'LICENSE'), join(target, 'LICENSE'));
  }
}

const MODULES = { esm: 'esm', cjs: 'cjs' };

async function writeCode(folder, target) {
  await Promise.all(
    Object.entries(MODULES).map(async ([name, format]) =>
      build({
        entryPoints: [join(root, folder, 'src/index.ts')],
        outfile: join(target, 'dist', name, 'index.js'),
        bundle: true,
        external: await externals(folder, format),
        format,
        // nothing of Node: browsers, workers, Deno and Bun run the same files
        platform: 'neutral',
        target: 'es2022',
        logLevel: 'warning',
      }),
    ),
  );
}

/** What esbuild has to take in: its CommonJS has its function where Node does not look. */
const TAKEN_IN = { cjs: ['openapi-fetch'], esm: [] };

async function externals(folder, format) {
  const { dependencies = {}, peerDependencies = {} } = await manifestOf(folder);
  const names = [...Object.keys(dependencies), ...Object.keys(peerDependencies)];
  return names.filter((name) => !TAKEN_IN[format].includes(name)).flatMap((name) => [name, `${name}/*`]);
}

const manifestOf = async (folder) => JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));

async function writeManifest(folder, target) {
  const published = await manifestOf(folder);
  for (const ours of ['nx', 'devDependencies']) delete published[ours];
  const entry = (name) => ({ types: `./dist/${name}/index.d.ts`, default: `./dist/${name}/index.js` });
  await mkdir(join(target, 'dist/cjs'), { recursive: true });
  await writeJson(join(target, 'package.json'), {
    ...published,
    main: './dist/cjs/index.js',
    module: './dist/esm/index.js',
    types: './dist/cjs/index.d.ts',
    exports: {
      '.': { import: entry('esm'), require: entry('cjs') },
      './package.json': './package.json',
    },
  });
  await writeJson(join(target, 'dist/cjs/package.json'), { type: 'commonjs' });
}

const writeJson = (path, value) => writeFile(path, `${JSON.stringify(value, undefined, 2)}\n`);

/** `npm run typecheck` has checked them. */
async function writeTypes(folder, target, to) {
  const source = join(root, folder, 'src');
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const program = ts.createProgram([join(source, 'index.ts')], {
    ...options,
    noCheck: true,
    declaration: true,
    emitDeclarationOnly: true,
    customConditions: [],
    rootDir: source,
    outDir: join(target, 'dist/esm'),
    paths: { [CLIENT]: [join(to, 'client/dist/esm/index.d.ts')] },
  });
  program.emit();
  const isType = (path) => !path.endsWith('.js');
  await cp(join(target, 'dist/esm'), join(target, 'dist/cjs'), { recursive: true, filter: isType });
}
