import { expect, test } from '@jest/globals';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';

const run = promisify(execFile);

const hasPython = spawnSync('python3', ['--version']).status === 0;

test('the generated TypeScript compiles', () => {
  const { config } = ts.readConfigFile('tsconfig.base.json', (path) => ts.sys.readFile(path)) as {
    config: object;
  };
  const { options } = ts.convertCompilerOptionsFromJson(Reflect.get(config, 'compilerOptions'), '.');
  const program = ts.createProgram(['libs/client/src/api.generated.ts'], { ...options, noEmit: true });
  const problems = ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText);
  expect(problems).toEqual([]);
});

(hasPython ? test : test.skip)('the Python client compiles (no Python was found)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loci-python-'));
  try {
    const env = { ...process.env, PYTHONPYCACHEPREFIX: folder };
    await run('python3', ['-W', 'error', '-m', 'compileall', '-q', '-f', 'clients/python/src'], { env });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the Python client, what is generated of it and what a program gets of it have the right types', async () => {
  const { stdout } = await run(process.execPath, [
    'node_modules/pyright/index.js',
    '-p',
    'clients/python',
    '--outputjson',
  ]).catch((error: unknown) => error as { stdout: string });
  const { generalDiagnostics, summary } = JSON.parse(stdout) as {
    generalDiagnostics: unknown[];
    summary: { filesAnalyzed: number };
  };
  expect(generalDiagnostics).toEqual([]);
  expect(summary.filesAnalyzed).toBeGreaterThan(10);
});

test('the Python client has every schema of the document, and every operation but the streams', () => {
  const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string }>>;
    components: { schemas: Record<string, unknown> };
  };
  const types = readFileSync('clients/python/src/loci/types.py', 'utf8');
  const operations = readFileSync('clients/python/src/loci/_operations.py', 'utf8');
  const schemas = Object.keys(document.components.schemas);
  expect(schemas.filter((name) => !new RegExp(`^(class ${name}\\(|${name} = )`, 'm').test(types))).toEqual(
    [],
  );
  const ids = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/api/v2/'))
    .flatMap(([, methods]) => Object.values(methods).map(({ operationId }) => operationId));
  const missing = ids.filter((id) => !operations.includes(`    def ${id}(`));
  expect(missing.sort()).toEqual(['export_project', 'stream_events']);
});
