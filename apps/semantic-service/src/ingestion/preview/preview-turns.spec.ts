import { expect, test } from '@jest/globals';
import { PreviewTurns } from './preview-turns.js';

test('an organization has two previews at a time, and gets a turn again when one has ended', async () => {
  const turns = new PreviewTurns();
  const ends: (() => void)[] = [];
  const hang = (orgId: string): Promise<void> =>
    turns.run(orgId, () => new Promise<void>((resolve) => void ends.push(resolve)));
  const running = [hang('acme'), hang('acme')];
  await expect(hang('acme')).rejects.toMatchObject({ code: 'overloaded' });
  running.push(hang('other'));
  ends[0]?.();
  await running[0];
  running.push(hang('acme'));
  for (const end of ends) end();
  await Promise.all(running);
  await expect(turns.run('acme', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  await expect(turns.run('acme', () => Promise.resolve('done'))).resolves.toBe('done');
});

test('a process works on eight at a time', async () => {
  const turns = new PreviewTurns();
  const ends: (() => void)[] = [];
  const running = Array.from({ length: 8 }, (_, index) =>
    turns.run(`org ${index}`, () => new Promise<void>((resolve) => void ends.push(resolve))),
  );
  await expect(turns.run('late', () => Promise.resolve())).rejects.toMatchObject({ code: 'overloaded' });
  for (const end of ends) end();
  await Promise.all(running);
});
