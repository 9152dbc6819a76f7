import { describe, expect, test } from '@jest/globals';
import { existsSync, readdirSync } from 'node:fs';
import { betweenFolders, circlesIn, importsBelow } from './circles.js';

const sources = [...sourcesOf('apps'), ...sourcesOf('libs'), 'bench/src', 'e2e'];

function sourcesOf(group: string): string[] {
  return readdirSync(group)
    .map((name) => `${group}/${name}/src`)
    .filter((folder) => existsSync(folder));
}

test.each(sources)('no file of %s imports itself by way of others', (folder) => {
  const files = importsBelow(folder);
  expect(files.size).toBeGreaterThan(0);
  expect(circlesIn(files)).toEqual([]);
});

test.each(sources)('no folder of %s imports itself by way of others', (folder) => {
  expect(circlesIn(betweenFolders(importsBelow(folder)))).toEqual([]);
});

describe('a circle', () => {
  test('of files is found, and what leads into it is no part of it', () => {
    const imports = { a: ['b'], b: ['c'], c: ['b', 'd'], d: [] };
    expect(circlesIn(new Map(Object.entries(imports)))).toEqual([['b', 'c']]);
  });

  test('of folders is found although no file is in one', () => {
    const imports = {
      'orders/order.ts': ['stock/item.ts'],
      'stock/item.ts': [],
      'stock/shelf.ts': ['orders/kind.ts'],
      'orders/kind.ts': [],
      'app.ts': ['orders/order.ts', 'stock/shelf.ts'],
    };
    const files = new Map(Object.entries(imports));
    expect(circlesIn(files)).toEqual([]);
    expect(circlesIn(betweenFolders(files))).toEqual([['orders', 'stock']]);
  });

  test('is none within a folder and what is inside it', () => {
    const imports = {
      'sets/set.ts': ['sets/ids/id.ts'],
      'sets/ids/id.ts': ['sets/kind.ts'],
      'sets/kind.ts': [],
    };
    expect(circlesIn(betweenFolders(new Map(Object.entries(imports))))).toEqual([]);
  });
});
