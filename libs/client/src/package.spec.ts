import { afterAll, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import ts from 'typescript';

const FOLDER = join(process.cwd(), 'libs/client');
const SOURCE = join(FOLDER, 'src/index.ts');
const EXAMPLE = join(FOLDER, 'src/readme-example.ts');

const STEPS = [
  'node tools/build.mjs libs/client',
  'tsc -p libs/client/tsconfig.build.json',
  'npm pack -w @loci/client',
];

interface Manifest {
  readonly exports: { readonly '.': Readonly<Record<string, string>> };
  readonly files: readonly string[];
  readonly scripts?: Readonly<Record<string, string>>;
}

const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const manifest = JSON.parse(read('package.json')) as Manifest;

/** A copy of the package: other tests run from what is built beside the source. */
const copy = mkdtempSync(join(tmpdir(), 'loci-client-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const { config } = ts.readConfigFile(join(FOLDER, 'tsconfig.build.json'), (path) =>
  readFileSync(path, 'utf8'),
) as {
  config: object;
};
const parsed = ts.parseJsonConfigFileContent(config, ts.sys, FOLDER);

/** An example may end with a value that is not used. */
const options = { ...parsed.options, noUnusedLocals: false, outDir: join(copy, 'dist') };

/** The examples of the README as one module that imports the package by its source. */
function example(): string {
  const blocks = [...read('README.md').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  expect(blocks.length).toBeGreaterThan(0);
  return blocks.join('\n').replace("'@loci/client'", "'./index.js'");
}

const messages = (diagnostics: readonly ts.Diagnostic[]): string[] =>
  diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));

/** The package with the examples of its README as one more module. */
function program(): ts.Program {
  const host = ts.createCompilerHost(options);
  const plain = ts.createCompilerHost(options);
  host.fileExists = (path) => path === EXAMPLE || plain.fileExists(path);
  host.getSourceFile = (path, version) =>
    path === EXAMPLE ? ts.createSourceFile(path, example(), version) : plain.getSourceFile(path, version);
  return ts.createProgram([...parsed.fileNames, EXAMPLE], options, host);
}

const types = program();

/** Does the steps of the script on the copy. @returns the paths that the package would hold */
function packed(): string[] {
  cpSync(FOLDER, copy, { recursive: true, filter: (path) => path !== join(FOLDER, 'dist') });
  execFileSync(process.execPath, ['tools/build.mjs', relative(process.cwd(), copy)]);
  for (const name of parsed.fileNames) types.emit(types.getSourceFile(name));
  const told = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: copy,
    encoding: 'utf8',
  });
  const [tarball] = JSON.parse(told) as [{ files: { path: string }[] }];
  return tarball.files.map(({ path }) => path);
}

test('what the README shows is what the types allow', () => {
  expect(types.getSourceFile(SOURCE)).toBeDefined();
  expect(messages(ts.getPreEmitDiagnostics(types))).toEqual([]);
});

test('what is packed holds everything that the package names, and types of every module', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
  expect(scripts?.['pack:client']).toBe(STEPS.join(' && '));
  const paths = packed();
  // only this repository asks for the source
  const { '@loci/source': source, ...published } = manifest.exports['.'];
  expect(source).toBe('./src/index.ts');
  for (const path of Object.values(published)) expect(paths).toContain(path.replace('./', ''));
  for (const folder of manifest.files) {
    expect(paths.filter((path) => path.startsWith(`${folder}/`))).not.toEqual([]);
  }
  const modules = paths.filter((path) => path.endsWith('.js'));
  expect(paths).toEqual(expect.arrayContaining(modules.map((path) => path.replace(/\.js$/, '.d.ts'))));
  expect(paths.filter((path) => /spec|^src/.test(path))).toEqual([]);
});
