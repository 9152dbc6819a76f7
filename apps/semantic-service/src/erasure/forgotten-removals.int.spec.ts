import { describe, expect, test } from '@jest/globals';
import { useFreshSets } from '../../test/fresh-sets.js';
import { type SpecServices } from '../../test/semantic-services.js';
import { ADDED_AGAIN, type SemanticSpec, specAdd, specCitation } from '../../test/semantic-spec.js';
import { SCHEMA } from '../database.js';
import { byClient } from '../features/feature-origins.js';
import { type ChangeOrigin, type Citation, type Feature } from '../features/feature.js';
import { type OpenProject } from '../projects/project.js';
import { type MemorySet } from '../sets/set.js';

const CATEGORY = 'profile';

let spec: SemanticSpec;
let services: SpecServices;
let project: OpenProject;
let set: MemorySet;

useFreshSets((fresh) => {
  ({ spec, services, project, set } = fresh);
});

const asked = () => ({ tenant: project.tenant, organization: 'change' as const });

const message = (): Citation => specCitation(project.uid);

/** A model read these messages. */
const read = (...messages: readonly Citation[]): ChangeOrigin => ({
  kind: 'ingestion',
  jobId: 'job',
  model: 'model',
  episodes: messages.map(({ episodeUid }) => episodeUid),
});

const add = (value: string, ...citations: readonly Citation[]) =>
  spec.apply(set, CATEGORY, [specAdd(value, ...citations)], read(...citations));

/** Messages say that it was never true. */
const deny = (citations: readonly Citation[], origin = read(...citations)) =>
  spec.apply(set, CATEGORY, [{ kind: 'delete', tag: 'facts', name: 'fact', citations }], origin);

const forget = (...messages: readonly Citation[]): Promise<void> =>
  spec.forget(
    project.uid,
    messages.map(({ episodeUid }) => episodeUid),
  );

const known = (): Promise<readonly Feature[]> => spec.known(set);

const values = async (): Promise<string[]> => (await known()).map(({ value }) => value);

/** All that is stored of what happened, as text. */
const historyText = async (): Promise<string> =>
  JSON.stringify(await spec.query(`SELECT * FROM ${SCHEMA}.feature_history WHERE set_uid = $1`, [set.uid]));

describe('a fact of which a message said that it was never true', () => {
  test('comes back when that message is deleted, under its uid, and goes with the message that it was learned from', async () => {
    const [first, second] = [message(), message()];
    await add('vegan', first);
    const [before] = await known();
    await deny([second]);
    expect(await values()).toEqual([]);
    await forget(second);
    expect(await known()).toEqual([{ ...before, revision: expect.any(Number) }]);
    expect(await historyText()).not.toContain(second.episodeUid);
    await forget(first);
    expect(await values()).toEqual([]);
    expect(await historyText()).toBe('[]');
  });

  test('stays away until all messages are deleted that said so; what was read beside them does not matter', async () => {
    const [first, second, third, beside] = [message(), message(), message(), message()];
    await add('vegan', first);
    await deny([second, third], read(second, third, beside));
    await forget(beside);
    await forget(second);
    expect(await values()).toEqual([]);
    const text = await historyText();
    expect([beside, second].filter(({ episodeUid }) => text.includes(episodeUid))).toEqual([]);
    await forget(third);
    expect(await values()).toEqual(['vegan']);
  });

  test('stays away when what it was learned from is deleted, before, after or at once, and nothing tells of it', async () => {
    for (const steps of [[0, 1], [1, 0], [2]]) {
      const [first, second] = [message(), message()];
      await add('vegan', first);
      await deny([second]);
      for (const step of steps) await forget(...[[first], [second], [first, second]][step]!);
      expect(await values()).toEqual([]);
      expect(await historyText()).toBe('[]');
    }
  });

  test('comes back with the messages that are left', async () => {
    const [first, second, third] = [message(), message(), message()];
    await add('vegan', first, second);
    await deny([third]);
    await forget(first);
    expect(await historyText()).not.toContain(first.episodeUid);
    await forget(third);
    expect(await values()).toEqual(['vegan']);
    await forget(second);
    expect(await values()).toEqual([]);
  });

  test('becomes one with what was said again meanwhile', async () => {
    const [first, second, third] = [message(), message(), message()];
    await add('vegan', first);
    await deny([second]);
    await add('vegan', third);
    await forget(second);
    expect(await values()).toEqual(['vegan']);
    await forget(third);
    expect(await values()).toEqual(['vegan']);
  });

  test('becomes one with what was said again by the same message, which goes', async () => {
    const [first, second] = [message(), message()];
    await add('vegan', first);
    await deny([second]);
    await add('vegan', second);
    await forget(second);
    expect(await values()).toEqual(['vegan']);
  });

  test('can still be taken back after a message beside was deleted, and then changes no more', async () => {
    const [first, second, beside] = [message(), message(), message()];
    await add('vegan', first);
    const [{ uid: featureId } = { uid: '' }] = await known();
    await deny([second], read(second, beside));
    await forget(beside);
    await services.history.undo({ ...asked(), featureId });
    expect(await values()).toEqual(['vegan']);
    await forget(second);
    expect(await values()).toEqual(['vegan']);
  });

  test('stays away where a client took it away', async () => {
    const [first, second] = [message(), message()];
    await add('vegan', first);
    await deny([second], byClient());
    await forget(second);
    expect(await values()).toEqual([]);
  });

  test('stays away where it was denied again after it had been taken back', async () => {
    const [first, second, third] = [message(), message(), message()];
    await add('vegan', first);
    const [{ uid: featureId } = { uid: '' }] = await known();
    await deny([second]);
    await services.history.undo({ ...asked(), featureId });
    await deny([third]);
    await forget(second);
    expect(await values()).toEqual([]);
    await forget(third);
    expect(await values()).toEqual(['vegan']);
  });

  test('stays away when its category is gone', async () => {
    const [first, second] = [message(), message()];
    const categoryId = await services.categories.add({
      ...asked(),
      setId: set.id,
      name: 'diets',
      prompt: 'p',
    });
    await spec.apply(set, 'diets', [specAdd('vegan', first)], read(first));
    const denial = { kind: 'delete', tag: 'facts', name: 'fact', citations: [second] } as const;
    await spec.apply(set, 'diets', [denial], read(second));
    await services.categories.remove({ ...asked(), categoryId });
    await forget(second);
    expect(await values()).toEqual([]);
  });

  test('stays away when the deletion is heard of after the message was added again and said so again', async () => {
    const [first, second] = [message(), message()];
    await add('vegan', first);
    await deny([{ ...second, addedAt: ADDED_AGAIN }]);
    await forget(second);
    expect(await values()).toEqual([]);
    await spec.forget(project.uid, [second.episodeUid], ADDED_AGAIN);
    expect(await values()).toEqual(['vegan']);
  });
});
