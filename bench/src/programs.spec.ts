import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const PROGRAMS = readdirSync('bench/src').filter((name) => name === 'main.ts' || name.endsWith('.main.ts'));

test.each(PROGRAMS)('%s loads what the decorators of contracts need before anything else', (name) => {
  expect(readFileSync(`bench/src/${name}`, 'utf8')).toMatch(/^import 'reflect-metadata';\n/);
});
