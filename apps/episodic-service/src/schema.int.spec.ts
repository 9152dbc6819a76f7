import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { EPISODE_GROUPINGS, type Filter, instantFromDate } from '@loci/contracts';
import { countSetAside, PERSISTENCE_ENTITIES, runMigrations } from '@loci/persistence';
import {
  INDEXING_OF_ALL,
  TestDatabase,
  checkStatements,
  distributionProblems,
  schemaDifferences,
  statementsOfAllRows,
  type CheckedStatement,
  type StatementFolder,
} from '@loci/testing';
import { SCHEMA } from './database.js';
import { DISTRIBUTION } from './distribution.js';
import { matchEpisodes } from './deletions/match-episodes.sql.js';
import { ENTITIES } from './entities.js';
import { countMatchingEpisodes } from './episodes/count-matching-episodes.sql.js';
import { firstMatchingUids } from './episodes/first-matching-uids.sql.js';
import { matching } from './episodes/episode-rows.js';
import { endOfStretch, groupEpisodes } from './episodes/group-episodes.sql.js';
import { findMatchingEpisodes } from './episodes/find-matching-episodes.sql.js';
import { listEpisodes } from './episodes/list-episodes.sql.js';
import { listEpisodesFrom } from './episodes/list-episodes-from.sql.js';
import { matchingUids } from './episodes/matching-uids.sql.js';
import { newestEpisodes } from './episodes/newest-episodes.sql.js';
import { MIGRATIONS } from './migrations/migrations.js';
import { EpisodeTable } from './indexing/episode-table.js';
import { contextOfTurns } from './search/context-of-turns.sql.js';
import { SUMMARY_LEASE } from './summaries/summary-lease.js';
import { nextEpisodes } from './transfer/next-episodes.sql.js';

const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Of every kind of operand. */
const FILTER: Filter = {
  op: 'and',
  args: [
    {
      op: 'compare',
      field: { kind: 'system', name: 'session_key' },
      comparison: '=',
      value: { type: 'string', value: 'acme/p' },
    },
    {
      op: 'compare',
      field: { kind: 'metadata', key: 'rank' },
      comparison: '>',
      value: { type: 'number', value: 1 },
    },
    {
      op: 'compare',
      field: { kind: 'system', name: 'created_at' },
      comparison: '<',
      value: { type: 'instant', value: instantFromDate(new Date(0)) },
    },
  ],
};

/** Without a filter, and with one; the predicate's first parameter is the one that the statement expects. */
const filtered = (
  statement: (predicate: ReturnType<typeof matching>) => CheckedStatement,
  firstParameter: number,
): CheckedStatement[] => [
  statement(matching(undefined, firstParameter)),
  statement(matching(FILTER, firstParameter)),
];

const COMPOSITIONS = new Map<unknown, CheckedStatement[]>([
  [contextOfTurns, filtered(contextOfTurns, 6)],
  [countMatchingEpisodes, filtered(countMatchingEpisodes, 6)],
  [endOfStretch, [endOfStretch(false), endOfStretch(true)]],
  [findMatchingEpisodes, filtered(findMatchingEpisodes, 4)],
  [
    groupEpisodes,
    EPISODE_GROUPINGS.flatMap((by) => filtered((predicate) => groupEpisodes(by, predicate), 6)),
  ],
  [listEpisodes, filtered(listEpisodes, 2)],
  [matchingUids, filtered(matchingUids, 3)],
  [
    listEpisodesFrom,
    [false, true].flatMap((hasBegun) => filtered((predicate) => listEpisodesFrom(predicate, hasBegun), 2)),
  ],
  [firstMatchingUids, filtered(firstMatchingUids, 3)],
  [matchEpisodes, filtered(matchEpisodes, 6)],
  [newestEpisodes, filtered(newestEpisodes, 5)],
  [nextEpisodes, [nextEpisodes(false), nextEpisodes(true)]],
]);

const LEASES = new Map<unknown, CheckedStatement[]>([
  [countSetAside, [countSetAside(SCHEMA, [{ kind: 'summary', table: 'summaries', lease: SUMMARY_LEASE }])]],
]);

const DISTRIBUTED = { schema: SCHEMA, distribution: DISTRIBUTION, formerKeys: ['episodes_by_uid'] };

let database: TestDatabase;

beforeAll(async () => {
  database = await TestDatabase.create();
  await runMigrations({ url: database.url, schema: SCHEMA, migrations: MIGRATIONS });
});

afterAll(() => database.drop());

test('every table has an entity, and a generated migration would be empty', async () => {
  const entities = [...PERSISTENCE_ENTITIES, ...ENTITIES];
  const differences = await schemaDifferences({ url: database.url, schema: SCHEMA, entities });
  expect(differences).toEqual({ statements: [], tablesWithoutEntity: [], otherColumns: [] });
});

const STATEMENTS: readonly (readonly [string, StatementFolder])[] = [
  ['of the service', { folder: folder('.'), compositions: COMPOSITIONS }],
  [
    'of the persistence library',
    {
      folder: folder('../../../libs/persistence/src'),
      context: [SCHEMA, ['episodes']],
      compositions: LEASES,
    },
  ],
  [
    'of the indexing library',
    { folder: folder('../../../libs/indexing/src'), context: [new EpisodeTable()] },
  ],
];

test.each(STATEMENTS)('every statement %s answers the columns that it declares', async (_, check) => {
  const { checked, problems } = await checkStatements({ url: database.url, ...check });
  expect(problems).toEqual([]);
  expect(checked).toBeGreaterThan(0);
});

test('tables that grow and change are vacuumed and analyzed before much of them has changed', async () => {
  const rows = await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = $1::regnamespace
       AND reloptions @> '{autovacuum_vacuum_scale_factor=0.01,autovacuum_analyze_scale_factor=0.005}'`,
    [SCHEMA],
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(['episodes']);
});

test('the keys of every table contain the column by which it can be spread over servers', async () => {
  expect(await distributionProblems({ url: database.url, ...DISTRIBUTED })).toEqual([]);
});

/** They work on the rows of all projects; and why. */
const OF_ALL_PROJECTS: Readonly<Record<string, readonly string[]>> = {
  ...INDEXING_OF_ALL,
  'a metric': ['reembedding/reembedding-progress.sql.ts'],
  'a sweeper, or a periodic job': [
    'deletions/forget-deletions.sql.ts',
    'deletions/is-any-deletion-due.sql.ts',
    'expiry/is-any-expired.sql.ts',
    'expiry/take-expired.sql.ts',
    'indexing/projects-with-waiting.sql.ts',
    'indexing/take-overdue-episodes.sql.ts',
    'indexing/take-overdue-tombstones.sql.ts',
    'lease/count-set-aside.sql.ts',
    'retention/remove-expired-answers.sql.ts',
    'summaries/take-overdue-summaries.sql.ts',
    'words/take-uncounted.sql.ts',
  ],
  'once for what an older version stored': [
    'indexing/set-conversations.sql.ts',
    'indexing/without-conversation.sql.ts',
  ],
  'all projects of an organization': ['deletions/count-open-deletions-of-organization.sql.ts'],
  'a worker looks for work': [
    'deletions/claim-deletion.sql.ts',
    'reembedding/due-reembeddings.sql.ts',
    'reembedding/lock-retired.sql.ts',
  ],
};

test('every statement says of which project its rows are, but for those of work on all', async () => {
  const found = [];
  for (const [, statements] of STATEMENTS) {
    found.push(...(await statementsOfAllRows({ url: database.url, ...DISTRIBUTED, ...statements })));
  }
  expect(found.sort()).toEqual(Object.values(OF_ALL_PROJECTS).flat().sort());
});
