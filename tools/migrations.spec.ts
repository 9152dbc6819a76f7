import { expect, test } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const folders = readdirSync('apps')
  .map((app) => `apps/${app}/src/migrations`)
  .filter((folder) => existsSync(folder));

/** Deployed under one number before this rule. Their sequence is that of the list in migrations.ts, and stays. */
const DEPLOYED = new Set(['0002 in apps/episodic-service/src/migrations']);

test('no two migrations of a service have one number', () => {
  expect(folders.length).toBeGreaterThanOrEqual(3);
  const numbers = folders.flatMap((folder) =>
    readdirSync(folder).flatMap((name) => {
      const number = /^(\d{4})-.*(?<!\.spec)\.ts$/.exec(name)?.[1];
      return number === undefined ? [] : [`${number} in ${folder}`];
    }),
  );
  const repeated = numbers.filter((number, index) => numbers.indexOf(number) !== index);
  expect(repeated.filter((number) => !DEPLOYED.has(number))).toEqual([]);
});

test('every migration says its name, under which the database remembers it: a bundle may call its class otherwise', () => {
  const unnamed = folders.flatMap((folder) =>
    readdirSync(folder)
      .map((name) => `${folder}/${name}`)
      .filter((path) => {
        const text = readFileSync(path, 'utf8');
        const name = /class (\w+) implements MigrationInterface/.exec(text)?.[1];
        return name !== undefined && !text.includes(`readonly name = '${name}';`);
      }),
  );
  expect(unnamed).toEqual([]);
});
