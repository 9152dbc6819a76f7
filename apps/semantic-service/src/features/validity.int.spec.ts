import { describe, expect, test } from '@jest/globals';
import { type Dated, type Instant } from '@loci/contracts';
import { useFreshSets } from '../../test/fresh-sets.js';
import { servicesOf } from '../../test/semantic-services.js';
import { type SemanticSpec, specCitation, specDate } from '../../test/semantic-spec.js';
import { fullScope, type OpenProject } from '../projects/project.js';
import { toChanges } from '../ingestion/extraction/extraction-changes.js';
import { readExtraction } from '../ingestion/extraction/extraction-reply.js';
import { type IngestionEpisode } from '../ingestion/extraction/ingestion-episode.js';
import { type MemorySet } from '../sets/set.js';
import { type FeatureChange } from './feature-change.js';
import { type Citation, type Feature } from './feature.js';
import { type ReadTime } from './held-features.js';
import { type StatedValidity } from './validity.js';

const CATEGORY = 'profile';

let spec: SemanticSpec;
let project: OpenProject;
let set: MemorySet;

useFreshSets((fresh) => {
  ({ spec, project, set } = fresh);
});

const at = (text: string): Instant => specDate(text).at;

/** A message of that day. */
const said = (day: string): Citation => ({ ...specCitation(project.uid), createdAt: at(day) });

const city = (
  kind: 'add' | 'update',
  value: string,
  citation: Citation | undefined,
  validity: StatedValidity = {},
): FeatureChange => ({
  kind,
  tag: 'home',
  name: 'city',
  value,
  citations: citation ? [citation] : [],
  ...validity,
});

const apply = (...changes: FeatureChange[]) => spec.apply(set, CATEGORY, changes);

const read = async (time: ReadTime = {}): Promise<Feature[]> =>
  (await spec.features.list(fullScope(set), [set.uid], time, { offset: 0, limit: 100 })).features;

/** Each value with when it holds. */
const shown = async (time: ReadTime = {}): Promise<string[]> =>
  (await read(time))
    .map(({ value, validFrom, validUntil }) => {
      const day = (dated: Dated | undefined): string => dated?.at.slice(0, 10) ?? '';
      return `${value} ${day(validFrom)}..${day(validUntil)}`;
    })
    .sort();

const asOf = (day: string): Promise<string[]> => shown({ asOf: at(day) });

describe('an update', () => {
  test('ends what it replaces, and keeps it', async () => {
    await apply(city('add', 'Valencia', said('2024-01-10')));
    const { updated } = await apply(
      city('update', 'Gothenburg', said('2024-06-20'), { validFrom: specDate('2024-06') }),
    );
    expect(await shown()).toEqual(['Gothenburg 2024-06-01..']);
    expect(await shown({ validity: 'ended' })).toEqual(['Valencia ..2024-06-01']);
    expect(await read({ validity: 'ended' })).toMatchObject([
      { supersededBy: updated[0], validUntil: { precision: 'month' } },
    ]);
    expect(await asOf('2024-03-01')).toEqual(['Valencia ..2024-06-01']);
    expect(await asOf('2024-06-10')).toEqual(['Gothenburg 2024-06-01..']);
    expect(await asOf('2024-01-09')).toEqual([]);
  });

  test('without a date ends it when it is said, and cites what is said alone', async () => {
    const [first, second] = [said('2024-01-10'), said('2024-06-20')];
    await apply(city('add', 'Valencia', first));
    await apply(city('update', 'Gothenburg', second));
    const [now] = await read();
    expect((await spec.features.find(fullScope(set), now?.uid ?? ''))?.citations).toEqual([
      second.episodeUid,
    ]);
    expect(await shown({ validity: 'ended' })).toEqual(['Valencia ..2024-06-20']);
  });

  test('to what is said already ends nothing', async () => {
    await apply(city('add', 'Valencia', said('2024-01-10')));
    await apply(city('update', 'Valencia', said('2024-06-20')));
    expect(await shown({ validity: 'all' })).toEqual(['Valencia ..']);
  });

  test('to what ends before that is another time of it', async () => {
    const untilThen = { validUntil: specDate('2100-01') };
    await apply(city('add', 'Valencia', said('2024-01-10'), untilThen));
    await apply(city('update', 'Valencia', said('2024-06-20'), { validFrom: specDate('2100-03') }));
    expect(await shown({ validity: 'all' })).toEqual(['Valencia ..2100-01-01', 'Valencia 2100-03-01..']);
    expect(await asOf('2024-07-01')).toEqual(['Valencia ..2100-01-01']);
  });

  test('by a message that is older than what is known adds what held before', async () => {
    await apply(city('add', 'Gothenburg', said('2024-06-20')));
    await apply(city('update', 'Valencia', said('2024-01-10')));
    expect(await shown()).toEqual(['Gothenburg ..']);
    expect(await asOf('2024-03-01')).toEqual(['Valencia ..2024-06-20']);
  });

  test('that holds from later on leaves what holds until then', async () => {
    const later = specDate('2100-01');
    await apply(city('add', 'Valencia', said('2024-01-10')));
    await apply(city('update', 'Gothenburg', said('2024-06-20'), { validFrom: later }));
    expect(await shown()).toEqual(['Gothenburg 2100-01-01..', 'Valencia ..2100-01-01']);
    expect(await asOf('2024-07-01')).toEqual(['Valencia ..2100-01-01']);
  });

  test('never ends anything before it began', async () => {
    await apply(city('add', 'Valencia', said('2024-01-10'), { validFrom: specDate('2015') }));
    await apply(city('update', 'Gothenburg', said('2024-06-20'), { validFrom: specDate('2010') }));
    expect(await shown({ validity: 'all' })).toEqual([
      'Gothenburg 2010-01-01..',
      'Valencia 2015-01-01..2015-01-01',
    ]);
  });

  test('since before anything was said ends then what nothing dates', async () => {
    await apply(city('add', 'Valencia', said('2024-01-10')));
    await apply(city('update', 'Gothenburg', said('2024-06-20'), { validFrom: specDate('2010') }));
    expect(await asOf('2015-01-01')).toEqual(['Gothenburg 2010-01-01..']);
    expect(await asOf('2009-01-01')).toEqual(['Valencia ..2010-01-01']);
  });

  test('back to what held before is another time of it', async () => {
    await apply(city('add', 'Valencia', said('2024-01-10')));
    await apply(city('update', 'Gothenburg', said('2024-06-20')));
    await apply(city('update', 'Valencia', said('2024-09-30')));
    expect(await shown({ validity: 'all' })).toEqual([
      'Gothenburg ..2024-09-30',
      'Valencia ..',
      'Valencia ..2024-06-20',
    ]);
    expect(await asOf('2024-07-01')).toEqual(['Gothenburg ..2024-09-30']);
  });

  test('taken back brings back what it ended, and leaves nothing beside it', async () => {
    await apply(city('add', 'Valencia', said('2024-01-10')));
    const { updated, added } = await apply(city('update', 'Gothenburg', said('2024-06-20')));
    const request = { tenant: project.tenant, organization: 'change' as const };
    for (const featureId of [updated[0] ?? '', added[0] ?? '']) {
      await servicesOf(spec).history.undo({ ...request, featureId });
      expect(await shown({ validity: 'all' })).toEqual(['Valencia ..']);
      await servicesOf(spec).history.undo({ ...request, featureId: updated[0] ?? '' });
      expect(await shown()).toEqual(['Gothenburg ..']);
    }
  });
});

describe('what ended with nothing in its place', () => {
  const removal = (citation: Citation, validUntil?: Dated): FeatureChange => ({
    kind: 'delete',
    tag: 'home',
    name: 'city',
    citations: [citation],
    validUntil,
  });

  test('is kept when it is said until when it held', async () => {
    await apply(city('add', 'Valencia', said('2024-01-10')));
    await apply(removal(said('2024-06-20'), specDate('2024-05')));
    expect(await shown({ validity: 'all' })).toEqual(['Valencia ..2024-05-01']);
    expect(await shown()).toEqual([]);
  });

  test('has ended when that is said, at the latest', async () => {
    await apply(city('add', 'Valencia', said('2024-01-10')));
    await apply(removal(said('2024-06-20'), specDate('2100')));
    expect(await shown({ validity: 'ended' })).toEqual(['Valencia ..2024-06-20']);
  });

  test('was never true when nothing says until when', async () => {
    await apply(city('add', 'Valencia', said('2024-01-10')));
    await apply(removal(said('2024-06-20')));
    expect(await shown({ validity: 'all' })).toEqual([]);
  });
});

describe('what is said to have held', () => {
  test('before anybody said so has no beginning', async () => {
    await apply(city('add', 'Valencia', said('2024-01-10'), { validUntil: specDate('2015') }));
    expect(await shown()).toEqual([]);
    expect(await asOf('2001-01-01')).toEqual(['Valencia ..2015-01-01']);
  });

  test('again, of the same time, is one feature with both messages', async () => {
    const until = { validUntil: specDate('2015') };
    await apply(city('add', 'Valencia', said('2024-01-10'), until));
    await apply(city('add', 'Valencia', said('2024-02-10'), until));
    expect(await shown({ validity: 'all' })).toEqual(['Valencia ..2015-01-01']);
  });

  test('of another time is another feature', async () => {
    await apply(city('add', 'Valencia', said('2024-01-10'), { validUntil: specDate('2015') }));
    await apply(city('add', 'Valencia', said('2024-01-10')));
    expect(await shown({ validity: 'all' })).toEqual(['Valencia ..', 'Valencia ..2015-01-01']);
  });
});

describe('a deleted message', () => {
  test('takes back the end of what it replaced', async () => {
    const moved = said('2024-06-20');
    await apply(city('add', 'Valencia', said('2024-01-10')));
    await apply(city('update', 'Gothenburg', moved));
    await spec.forget(project.uid, [moved.episodeUid]);
    expect(await shown({ validity: 'all' })).toEqual(['Valencia ..']);
  });

  test('takes away what held before, and it alone', async () => {
    const first = said('2024-01-10');
    await apply(city('add', 'Valencia', first));
    await apply(city('update', 'Gothenburg', said('2024-06-20')));
    await spec.forget(project.uid, [first.episodeUid]);
    expect(await shown({ validity: 'all' })).toEqual(['Gothenburg ..']);
  });

  test('takes back the date that it gave, and leaves those of others', async () => {
    const moved = said('2024-06-20');
    await apply(city('add', 'Valencia', said('2024-01-10')));
    await apply(city('update', 'Gothenburg', moved, { validFrom: specDate('2024-05') }));
    await apply(city('update', 'Gothenburg', said('2024-08-01')));
    await spec.forget(project.uid, [moved.episodeUid]);
    expect(await shown({ validity: 'all' })).toEqual(['Gothenburg ..', 'Valencia ..2024-08-01']);
  });

  test('joins what it divided', async () => {
    const moved = said('2024-06-20');
    await apply(city('add', 'Valencia', said('2024-01-10')));
    await apply(city('update', 'Gothenburg', moved));
    await apply(city('update', 'Valencia', said('2024-09-30')));
    await spec.forget(project.uid, [moved.episodeUid]);
    expect(await shown({ validity: 'all' })).toEqual(['Valencia ..']);
    expect(await asOf('2024-07-01')).toEqual(['Valencia ..']);
  });

  test('that ended something with nothing in its place takes the end back', async () => {
    const gone = said('2024-06-20');
    await apply(city('add', 'Valencia', said('2024-01-10')));
    await apply({
      ...{ kind: 'delete', tag: 'home', name: 'city' },
      ...{ citations: [gone], validUntil: specDate('2024-05') },
    });
    await spec.forget(project.uid, [gone.episodeUid]);
    expect(await shown()).toEqual(['Valencia ..']);
  });

  test('takes the history of what remains: it is empty, and nothing of it can be undone', async () => {
    const first = said('2024-01-10');
    await apply(city('add', 'Valencia', first));
    await apply(city('update', 'Valencia', said('2024-06-20')));
    await spec.forget(project.uid, [first.episodeUid]);
    const { history } = servicesOf(spec);
    const [feature] = await read();
    const request = {
      tenant: project.tenant,
      organization: 'change',
      featureId: feature?.uid ?? '',
    } as const;
    expect(await history.list(request)).toEqual({ entries: [], next: undefined });
    await expect(history.undo(request)).rejects.toMatchObject({ code: 'change_not_found' });
    const unknown = { ...request, featureId: set.uid };
    await expect(history.list(unknown)).rejects.toMatchObject({ code: 'feature_not_found' });
    await expect(history.undo(unknown)).rejects.toMatchObject({ code: 'feature_not_found' });
  });
});

test('a model ends what it was shown under another tag and name than what it adds', async () => {
  const home = { tag: 'Address', name: 'home', value: 'Valencia', citations: [said('2024-01-10')] };
  await apply({ kind: 'add', ...home });
  const moved = { content: 'I moved to Gothenburg in May.', ...said('2024-06-20') };
  const { commands, refused } = readExtraction(
    {
      commands: [
        { command: 'delete', tag: 'Address', feature: 'home', valid_until: '2024-04', messages: [1] },
        {
          ...{ command: 'add', tag: 'Location', feature: 'residence', value: 'Gothenburg' },
          ...{ valid_from: '2024-05', messages: [1] },
        },
      ],
    },
    1,
  );
  expect(refused).toEqual([]);
  await apply(...toChanges(commands, [moved as IngestionEpisode]));
  expect(await shown()).toEqual(['Gothenburg 2024-05-01..']);
  expect(await asOf('2024-03-01')).toEqual(['Valencia ..2024-05-01']);
});
