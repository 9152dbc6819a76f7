import { beforeEach, describe, expect, test } from '@jest/globals';
import { useFreshSets } from '../../test/fresh-sets.js';
import { type SpecServices } from '../../test/semantic-services.js';
import { type SemanticSpec, specAdd, specCitation, specDate } from '../../test/semantic-spec.js';
import { type FeatureChange } from '../features/feature-change.js';
import { byClient } from '../features/feature-origins.js';
import { type ChangeOrigin, type Citation, type Feature } from '../features/feature.js';
import { type StatedValidity } from '../features/validity.js';
import { fullScope, type OpenProject } from '../projects/project.js';
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

/** A message of that day. */
const said = (day: string): Citation => ({ ...specCitation(project.uid), createdAt: specDate(day).at });

const city = (
  kind: 'add' | 'update',
  value: string,
  citation: Citation,
  more: StatedValidity & { readonly isSingleValued?: boolean } = {},
): FeatureChange => ({ kind, tag: 'home', name: 'city', value, citations: [citation], ...more });

const ending = (citation: Citation, until: string): FeatureChange => ({
  kind: 'delete',
  tag: 'home',
  name: 'city',
  citations: [citation],
  validUntil: specDate(until),
});

const apply = (changes: FeatureChange | readonly FeatureChange[], origin?: ChangeOrigin) =>
  spec.apply(set, CATEGORY, [changes].flat(), origin);

const known = (validity?: 'current'): Promise<readonly Feature[]> => spec.known(set, validity);

const uidOf = async (value: string): Promise<string> =>
  (await known()).find((one) => one.value === value && !one.supersededBy)?.uid ?? '';

/** Each value, with until when it holds and by what it was superseded. */
async function shown(): Promise<string[]> {
  const all = await known();
  return all
    .map(({ value, validUntil, supersededBy }) => {
      const by =
        all.find(({ uid }) => uid === supersededBy)?.value ?? (supersededBy ? 'what is gone' : undefined);
      return [value, validUntil && `until ${validUntil.at.slice(0, 10)}`, by && `by ${by}`]
        .filter((part) => part !== undefined)
        .join(' ');
    })
    .sort();
}

/** The changes of the set, oldest first. */
async function changes(): Promise<string[]> {
  const page = { pageSize: 100, pageNum: 0 };
  const { changes: found } = await services.history.changes({ ...asked(), setId: set.id, ...page });
  return found.map(({ uid }) => uid).reverse();
}

const undo = (featureId: string, changeId?: string): Promise<void> =>
  services.history.undo({ ...asked(), featureId, changeId });

const undoAll = (...changeIds: readonly (string | undefined)[]): Promise<void> =>
  services.history.undoChanges({
    ...asked(),
    setId: set.id,
    changeIds: changeIds.map((id = '') => id),
  });

async function moved(...values: readonly string[]): Promise<Citation[]> {
  const messages: Citation[] = [];
  for (const [index, value] of values.entries()) {
    const message = said(`2024-0${index + 1}-10`);
    messages.push(message);
    await apply(city(index === 0 ? 'add' : 'update', value, message));
  }
  return messages;
}

describe('a fact that was replaced twice', () => {
  test('holds again when both changes are undone, one after the other or at once', async () => {
    await moved('Graz', 'Linz', 'Wien');
    const home = await uidOf('Wien');
    await undo(home);
    expect(await shown()).toEqual(['Graz until 2024-02-10 by Linz', 'Linz']);
    const [, first] = await changes();
    await undo(home, first);
    expect(await shown()).toEqual(['Graz']);
  });

  test('holds again when both changes are undone at once', async () => {
    await moved('Graz', 'Linz', 'Wien');
    const [, first, second] = await changes();
    await undoAll(first, second);
    expect(await shown()).toEqual(['Graz']);
    await undo(await uidOf('Graz'));
    expect(await shown()).toEqual(['Graz until 2024-02-10 by Wien', 'Linz until 2024-03-10 by Wien', 'Wien']);
  });

  test('has nothing left beside it when one goes back behind the first change', async () => {
    await moved('Graz', 'Linz', 'Wien');
    const [, first] = await changes();
    await undo(await uidOf('Wien'), first);
    expect(await shown()).toEqual(['Graz']);
    await undo(await uidOf('Graz'));
    expect(await shown()).toEqual(['Graz until 2024-02-10 by Wien', 'Linz until 2024-03-10 by Wien', 'Wien']);
  });

  test('has nothing left beside it when the first change alone is undone in its set', async () => {
    await moved('Graz', 'Linz', 'Wien');
    const [, first] = await changes();
    await undoAll(first);
    expect(await shown()).toEqual(['Graz']);
  });

  test('goes whole when one goes back behind its making', async () => {
    await moved('Graz', 'Linz', 'Wien');
    const [added] = await changes();
    await undo(await uidOf('Wien'), added);
    expect(await shown()).toEqual([]);
  });

  test('undone twice by the same change is as undone once', async () => {
    await moved('Graz', 'Linz', 'Wien');
    const [, first] = await changes();
    const home = await uidOf('Wien');
    await undo(home, first);
    await undo(home, first);
    expect(await shown()).toEqual(['Graz']);
  });
});

describe('a fact that ended', () => {
  test('for the sake of another and changed since keeps that when what ended it is undone', async () => {
    await apply([city('add', 'Graz', said('2024-01-10')), city('add', 'Linz', said('2024-02-10'))]);
    const kept = await uidOf('Graz');
    const other = await uidOf('Linz');
    await apply(city('update', 'Wien', said('2024-03-10')));
    const metadata = { sure: 'yes' };
    await services.editing.update({ ...asked(), featureId: other, metadata });
    await undo(kept, (await changes())[0]);
    expect(await shown()).toEqual(['Linz']);
    expect((await known())[0]).toMatchObject({ uid: other, metadata });
  });

  test('and holds again, and was changed since, is left alone by going back behind what ended it', async () => {
    await apply(city('add', 'Graz', said('2024-01-10')));
    await apply(city('add', 'Linz', said('2024-02-10')));
    const [kept, other] = [await uidOf('Graz'), await uidOf('Linz')];
    await apply(city('update', 'Wien', said('2024-03-10')));
    await undo(kept);
    await services.editing.update({ ...asked(), featureId: other, tag: 'birth' });
    await undo(kept, (await changes())[0]);
    expect(await shown()).toEqual(['Linz']);
    expect((await known())[0]).toMatchObject({ uid: other, tag: 'birth' });
  });

  test('twice, by two messages, ends as the first said when the second is undone, and then holds', async () => {
    await apply(city('add', 'Graz', said('2024-01-10')));
    await apply(ending(said('2024-05-01'), '2100'), byClient());
    await apply(city('update', 'Graz', said('2024-06-01'), { validUntil: specDate('2024-03') }));
    const home = await uidOf('Graz');
    await undo(home);
    await undo(home, (await changes())[1]);
    expect(await shown()).toEqual(['Graz']);
  });

  test('because an older message was learned late holds when what replaced it is undone', async () => {
    await apply(city('add', 'Linz', said('2024-06-10')));
    await apply(city('update', 'Graz', said('2024-01-10')));
    expect(await shown()).toEqual(['Graz until 2024-06-10 by Linz', 'Linz']);
    await undo(await uidOf('Linz'));
    expect(await shown()).toEqual(['Graz']);
    await undo(await uidOf('Graz'));
    expect(await shown()).toEqual(['Graz until 2024-06-10 by Linz', 'Linz']);
  });

  test('because an older message was learned late holds when the newer message is deleted', async () => {
    const newer = said('2024-06-10');
    await apply(city('add', 'Linz', newer));
    await apply(city('update', 'Graz', said('2024-01-10')));
    await spec.forget(project.uid, [newer.episodeUid]);
    expect(await shown()).toEqual(['Graz']);
  });

  test('by a settled conflict holds when what was kept is undone', async () => {
    await apply(city('add', 'Graz', said('2024-01-10'), { isSingleValued: true }));
    await apply(city('add', 'Linz', said('2024-02-10'), { isSingleValued: true }));
    const kept = await uidOf('Linz');
    await services.conflicts.settle({ ...asked(), featureId: kept });
    await undo(kept);
    expect(await shown()).toEqual(['Graz']);
  });
});

describe('what a change made and took away again', () => {
  const neverTrue = (): FeatureChange => ({
    ...{ kind: 'delete', tag: 'home', name: 'city', citations: [said('2024-02-10')] },
  });

  test('stays away when the change is undone, and the rest of the change goes', async () => {
    await apply(specAdd('tea', specCitation(project.uid)));
    await apply([
      city('add', 'Graz', said('2024-01-10')),
      specAdd('chai', specCitation(project.uid)),
      neverTrue(),
    ]);
    expect(await shown()).toEqual(['chai', 'tea']);
    const [, both] = await changes();
    await undoAll(both);
    expect(await shown()).toEqual(['tea']);
    await undoAll((await changes()).at(-1));
    expect(await shown()).toEqual(['chai', 'tea']);
  });

  test('stays away when it is undone by its own id', async () => {
    await apply([city('add', 'Graz', said('2024-01-10')), neverTrue()]);
    const { history } = services;
    const page = { pageSize: 10, pageNum: 0 };
    const { changes: found } = await history.changes({ ...asked(), setId: set.id, ...page });
    await undo(found[0]?.features[0]?.featureUid ?? '');
    expect(await shown()).toEqual([]);
  });
});

describe('what a change made one with another feature', () => {
  const both = async () => {
    await apply([city('add', 'Graz', said('2024-01-10')), city('add', 'Linz', said('2024-02-10'))]);
    const ids = { graz: await uidOf('Graz'), linz: await uidOf('Linz') };
    await services.editing.update({ ...asked(), featureId: ids.graz, value: 'Linz' });
    return ids;
  };

  test('comes back when the change is undone', async () => {
    const { graz, linz } = await both();
    await undo(graz);
    expect(await shown()).toEqual(['Graz', 'Linz']);
    expect([await uidOf('Graz'), await uidOf('Linz')]).toEqual([graz, linz]);
  });

  test('brings that back when it is undone itself', async () => {
    const { graz, linz } = await both();
    await undo(linz);
    expect(await shown()).toEqual(['Graz', 'Linz']);
    expect([await uidOf('Graz'), await uidOf('Linz')]).toEqual([graz, linz]);
  });

  test('with its end, which goes when that is undone', async () => {
    await apply(city('add', 'Graz', said('2024-01-10')));
    await apply(city('add', 'Graz', said('2024-02-10'), { validUntil: specDate('2100') }));
    expect(await shown()).toEqual(['Graz until 2100-01-01']);
    await undo(await uidOf('Graz'));
    expect(await shown()).toEqual(['Graz']);
  });

  test('takes its messages along when it is undone', async () => {
    const [first, second] = [said('2024-01-10'), said('2024-02-10')];
    await apply(city('add', 'Graz', first));
    await apply(city('add', 'Graz', second));
    const home = await uidOf('Graz');
    await undo(home);
    const cited = async (): Promise<readonly string[] | undefined> =>
      (await spec.features.find(fullScope(set), home))?.citations;
    expect(await cited()).toEqual([first.episodeUid]);
    await undo(home);
    expect(await cited()).toEqual([first.episodeUid, second.episodeUid]);
  });
});

describe('what became one with a feature since an older change of it', () => {
  test('comes back when that change is undone', async () => {
    await apply([city('add', 'Graz', said('2024-01-10')), city('add', 'Linz', said('2024-02-10'))]);
    const [graz, linz] = [await uidOf('Graz'), await uidOf('Linz')];
    await services.editing.update({ ...asked(), featureId: graz, value: 'Wels' });
    await services.editing.update({ ...asked(), featureId: graz, value: 'Linz' });
    const [, older] = await changes();
    await undo(graz, older);
    expect(await shown()).toEqual(['Graz', 'Linz']);
    expect([await uidOf('Graz'), await uidOf('Linz')]).toEqual([graz, linz]);
  });

  test('stays as it is when it came back before', async () => {
    await apply([city('add', 'Graz', said('2024-01-10')), city('add', 'Linz', said('2024-02-10'))]);
    const [graz, linz] = [await uidOf('Graz'), await uidOf('Linz')];
    await services.editing.update({ ...asked(), featureId: graz, value: 'Wels' });
    await services.editing.update({ ...asked(), featureId: graz, value: 'Linz' });
    const [, older] = await changes();
    await undo(graz);
    await services.editing.update({ ...asked(), featureId: linz, value: 'Enns' });
    await undo(graz, older);
    expect((await known('current')).map(({ value }) => value).sort()).toEqual(['Enns', 'Graz']);
  });

  test('comes back when it became one with what a merge had made of the feature', async () => {
    await apply([city('add', 'Graz', said('2024-01-10')), city('add', 'Linz', said('2024-02-10'))]);
    const [graz, linz] = [await uidOf('Graz'), await uidOf('Linz')];
    await services.editing.update({ ...asked(), featureId: graz, value: 'Wels' });
    const [, older] = await changes();
    const by = [{ tag: 'home', name: 'city', value: 'Linz' }];
    const origin = { kind: 'consolidation', jobId: 'job', model: 'model', episodes: [] } as const;
    await apply({ kind: 'replace', uids: [graz], by }, origin);
    await undo(graz, older);
    expect(await shown()).toEqual(['Graz', 'Linz']);
    expect([await uidOf('Graz'), await uidOf('Linz')]).toEqual([graz, linz]);
  });
});

describe('a feature that was merged since an older change of it', () => {
  let tea: string;
  let chai: string;
  let made: string | undefined;
  let change: string | undefined;

  const learn = async (value: string): Promise<string> => {
    const { added } = await apply(specAdd(value, specCitation(project.uid)));
    return added[0] ?? '';
  };

  const remove = (uid: string): Promise<unknown> => apply({ kind: 'remove', uids: [uid] }, byClient());

  /** As a consolidation does. @returns the uid of what is made of them */
  const merge = async (uids: readonly string[], value: string): Promise<string> => {
    const by = [{ tag: 'facts', name: 'fact', value }];
    const origin = { kind: 'consolidation', jobId: 'job', model: 'model', episodes: [] } as const;
    const { added } = await apply({ kind: 'replace', uids, by }, origin);
    return added[0] ?? '';
  };

  /** What holds. */
  const held = async (): Promise<string[]> => (await known('current')).map(({ value }) => value).sort();

  beforeEach(async () => {
    tea = await learn('tea');
    await apply({ ...specAdd('green tea', specCitation(project.uid)), kind: 'update' } as FeatureChange);
    [made, change] = await changes();
    chai = await learn('chai');
  });

  test('is not beside what it has become when that change is undone: the merge is, too', async () => {
    await merge([tea, chai], 'green tea or chai');
    await undo(tea, change);
    expect(await held()).toEqual(['chai', 'tea']);
    await undo(tea);
    expect(await held()).toEqual(['green tea or chai']);
  });

  test('is not beside it either when the merge was undone, and that was undone, too', async () => {
    const both = await merge([tea, chai], 'green tea or chai');
    await undo(both);
    await undo(both);
    expect(await held()).toEqual(['green tea or chai']);
    await undo(tea, change);
    expect(await held()).toEqual(['chai', 'tea']);
    await undo(tea);
    expect(await held()).toEqual(['green tea or chai']);
  });

  test('leaves nothing behind in what it has become when its making is undone', async () => {
    await merge([tea, chai], 'green tea or chai');
    await undo(tea, made);
    expect(await held()).toEqual(['chai']);
  });

  test('comes back with all that became one with it, by one merge after the other', async () => {
    const coffee = await learn('coffee');
    const both = await merge([tea, chai], 'green tea or chai');
    await merge([both, coffee], 'anything hot');
    await undo(tea, change);
    expect(await held()).toEqual(['chai', 'coffee', 'tea']);
  });

  test('comes back alone where what it had become was deleted: what was deleted with it was not asked for', async () => {
    const both = await merge([tea, chai], 'green tea or chai');
    await remove(both);
    await undo(tea, change);
    expect(await held()).toEqual(['tea']);
  });

  test('does not come back beside what it has become once a message behind that is deleted', async () => {
    const message = specCitation(project.uid);
    const { added } = await apply(specAdd('coffee', message));
    await merge([tea, added[0] ?? ''], 'green tea or coffee');
    await spec.forget(project.uid, [message.episodeUid]);
    for (const earlier of [undefined, change, made]) {
      await expect(undo(tea, earlier)).rejects.toMatchObject({ code: 'feature_not_found' });
    }
    expect(await held()).toEqual(['chai', 'green tea or coffee']);
  });

  test('comes back alone where it was deleted, and not merged', async () => {
    await remove(tea);
    await undo(tea, change);
    expect(await held()).toEqual(['chai', 'tea']);
  });
});

describe('what is not to be undone where it was changed since', () => {
  test('stays, and the later changes are named; without them, or once they are undone, it is undone', async () => {
    await apply([city('add', 'Graz', said('2024-01-10')), specAdd('tea', specCitation(project.uid))]);
    const [both] = await changes();
    const graz = await uidOf('Graz');
    await services.editing.update({ ...asked(), featureId: graz, value: 'Linz' });
    await services.editing.update({ ...asked(), featureId: graz, value: 'Wels' });
    const [, second, third] = await changes();
    const before = await shown();
    const refused = (ids: readonly (string | undefined)[]): object => ({
      ...{ code: 'changed_since', kind: 'conflict' },
      message: expect.stringContaining(`by ${ids.join(', ')}, so nothing`) as unknown,
    });
    const only = (...changeIds: readonly (string | undefined)[]): Promise<void> =>
      services.history.undoChanges({
        ...{ ...asked(), setId: set.id, unlessChanged: true },
        changeIds: changeIds.map((id = '') => id),
      });
    await expect(only(both)).rejects.toMatchObject(refused([third, second]));
    await expect(only(both, second)).rejects.toMatchObject(refused([third]));
    const undoOne = { ...asked(), featureId: graz, changeId: second, unlessChanged: true };
    await expect(services.history.undo(undoOne)).rejects.toMatchObject(refused([third]));
    expect(await shown()).toEqual(before);
    await only(third, second);
    expect(await shown()).toEqual(['Graz', 'tea']);
  });
});

describe('what cannot be undone', () => {
  test('says so when the category is gone, and changes nothing, not even what could be', async () => {
    const own = { prompt: 'p', description: undefined, idempotency: undefined };
    const categoryId = await services.categories.add({ ...asked(), ...own, setId: set.id, name: 'travel' });
    await moved('Graz', 'Linz');
    const { added } = await spec.apply(set, 'travel', [city('add', 'Oslo', said('2024-01-10'))]);
    const remove = { kind: 'remove', uids: added } as const;
    await spec.apply(set, 'travel', [remove], byClient());
    const [, inProfile, , removal] = await changes();
    await services.categories.remove({ ...asked(), categoryId });
    const before = await shown();
    const refused = { code: 'category_not_found', kind: 'not_found' };
    await expect(undo(added[0] ?? '')).rejects.toMatchObject(refused);
    await expect(undoAll(inProfile, removal)).rejects.toMatchObject(refused);
    expect(await shown()).toEqual(before);
  });

  test('of another set is no change of this one', async () => {
    await moved('Graz', 'Linz');
    const [, ofThis] = await changes();
    const other = await spec.newSet(project, { tags: { user: 'bob' } });
    const request = { ...asked(), setId: other.id, changeIds: [ofThis ?? ''] };
    await expect(services.history.undoChanges(request)).rejects.toMatchObject({ code: 'change_not_found' });
    expect(await shown()).toEqual(['Graz until 2024-02-10 by Linz', 'Linz']);
  });
});
