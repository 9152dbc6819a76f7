import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const FOLDER = join(process.cwd(), 'libs/client');
const SOURCE = join(FOLDER, 'src/index.ts');
const EXAMPLE = join(FOLDER, 'src/readme-example.ts');

const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

const { config } = ts.readConfigFile(join(FOLDER, 'tsconfig.build.json'), (path) =>
  readFileSync(path, 'utf8'),
) as {
  config: object;
};
const parsed = ts.parseJsonConfigFileContent(config, ts.sys, FOLDER);

/** An example may end with a value that nobody reads. */
const options = { ...parsed.options, noUnusedLocals: false };

/** The examples of the README as one module that imports the package by its source. */
function example(): string {
  const blocks = [...read('README.md').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  expect(blocks.length).toBeGreaterThan(0);
  return blocks.join('\n').replace("'@loci/client'", "'./index.js'");
}

const messages = (diagnostics: readonly ts.Diagnostic[]): string[] =>
  diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));

test('what the README shows is what the types allow, and the package has the types that it names', () => {
  const host = ts.createCompilerHost(options);
  const plain = ts.createCompilerHost(options);
  host.fileExists = (path) => path === EXAMPLE || plain.fileExists(path);
  host.getSourceFile = (path, version) =>
    path === EXAMPLE ? ts.createSourceFile(path, example(), version) : plain.getSourceFile(path, version);
  const emitted: string[] = [];
  host.writeFile = (path) => emitted.push(path.slice(FOLDER.length + 1));
  const program = ts.createProgram([SOURCE, EXAMPLE], options, host);
  expect(messages(ts.getPreEmitDiagnostics(program))).toEqual([]);
  program.emit();
  const { exports, files } = JSON.parse(read('package.json')) as {
    exports: { '.': { types: string } };
    files: string[];
  };
  expect(emitted).toContain(exports['.'].types.replace('./', ''));
  expect(files).toEqual(['dist']);
});
