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

/** Later ones run on tables that a deployment may have filled for long. */
const LAST_ON_SMALL_TABLES = 210;

/** Whether what stands there is not in `down`, which is the last method of a migration. */
function isForward(text: string, at: number): boolean {
  const down = text.indexOf(' down(');
  return at < down || at > text.indexOf('\n}\n', down);
}

test('no migration builds an index or a key while nothing can be written into its table', () => {
  const blocking = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => Number(/^(\d{4})-/.exec(name)?.[1] ?? 0) > LAST_ON_SMALL_TABLES)
      .flatMap((name) => {
        const text = readFileSync(`${folder}/${name}`, 'utf8');
        const forward = text.slice(0, text.indexOf(' down('));
        const indexes = forward.matchAll(/CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)\S+\s+ON (\S+)/g);
        const keys = text.matchAll(/ADD CONSTRAINT (\S+) (?:PRIMARY KEY|UNIQUE) \(/g);
        const builtForward = [...keys].filter(({ index }) => isForward(text, index));
        return [...indexes, ...builtForward].flatMap(([, table = '']) =>
          text.includes(`CREATE TABLE ${table}`) ? [] : [`${name}: ${table}`],
        );
      }),
  );
  expect(blocking).toEqual([]);
});
