import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Filter, type Instant, SEMANTIC_PARTS, type SystemField } from '@loci/contracts';
import { PERSISTENCE_ENTITIES, runMigrations } from '@loci/persistence';
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
import { findCategory } from './categories/find-category.sql.js';
import { holdTag } from './categories/hold-tag.sql.js';
import { conflictsOf } from './conflicts/conflicts-of.sql.js';
import { listConflicts } from './conflicts/list-conflicts.sql.js';
import { weighEndings } from './conflicts/weigh-endings.sql.js';
import { SCHEMA } from './database.js';
import { DISTRIBUTION } from './distribution.js';
import { ENTITIES } from './entities.js';
import { eraseRows } from './erasure/erase-rows.sql.js';
import { DELETED_EPISODES, FEATURES, OWNED } from './erasure/project-rows.js';
import { anyOfFeature } from './features/any-of-feature.sql.js';
import { changeOfFeature } from './features/change-of-feature.sql.js';
import { countFeatures } from './feature-index/count-features.sql.js';
import { countListedFeatures } from './features/count-listed-features.sql.js';
import { countSetChanges } from './features/count-set-changes.sql.js';
import { type Predicate } from './features/feature-filter.js';
import { factsByUid } from './features/facts-by-uid.sql.js';
import { featuresByUid } from './features/features-by-uid.sql.js';
import { findFeature } from './features/find-feature.sql.js';
import { historyEntries } from './features/history-entries.sql.js';
import { historyOfChanges } from './features/history-of-changes.sql.js';
import { historySince } from './features/history-since.sql.js';
import { knownEntries } from './features/known-entries.sql.js';
import { listFeaturesFrom } from './features/list-features-from.sql.js';
import { pageOfHistory } from './features/page-of-history.sql.js';
import { listFeatures } from './features/list-features.sql.js';
import { listSetChanges } from './features/list-set-changes.sql.js';
import { isSubject } from './subjects/is-subject.sql.js';
import { held } from './features/held-features.js';
import { matchingFeatureUids } from './features/matching-feature-uids.sql.js';
import { newestMatching } from './features/newest-matching.sql.js';
import { newestOfEachCategory } from './features/newest-of-each-category.sql.js';
import { readable } from './features/readable-features.js';
import { recordsByUid } from './features/records-by-uid.sql.js';
import { indexVersionsInState } from './feature-index/index-versions-in-state.sql.js';
import { oldestProblem } from './feature-index/oldest-problem.sql.js';
import { wantedEmbedders } from './feature-index/wanted-embedders.sql.js';
import { FeatureTable } from './indexing/feature-table.js';
import { forgetCommands } from './ingestion/backlog/forget-commands.sql.js';
import { forgetMessagesWithoutSet } from './ingestion/backlog/forget-messages-without-set.sql.js';
import { forgetMessages } from './ingestion/backlog/forget-messages.sql.js';
import { lockJobsOfMessages } from './ingestion/backlog/lock-jobs-of-messages.sql.js';
import { IN_SETS, OF_DELETED_EPISODES } from './ingestion/backlog/forgotten-messages.js';
import { countLetters } from './ingestion/dead-letters/count-letters.sql.js';
import { dropLetter } from './ingestion/dead-letters/drop-letter.sql.js';
import { findLetter } from './ingestion/dead-letters/find-letter.sql.js';
import { listLetters } from './ingestion/dead-letters/list-letters.sql.js';
import { lockJobsOfLetters } from './ingestion/dead-letters/lock-jobs-of-letters.sql.js';
import { replayLetters } from './ingestion/dead-letters/replay-letters.sql.js';
import { someLetters } from './ingestion/dead-letters/some-letters.sql.js';
import { countModelCalls } from './ingestion/model-calls/count-model-calls.sql.js';
import { findModelCall } from './ingestion/model-calls/find-model-call.sql.js';
import { listModelCalls } from './ingestion/model-calls/list-model-calls.sql.js';
import { claimSet } from './ingestion/jobs/claim-set.sql.js';
import { countJobs } from './ingestion/status/count-jobs.sql.js';
import { listJobs } from './ingestion/status/list-jobs.sql.js';
import { listUsage } from './ingestion/usage/list-usage.sql.js';
import { MIGRATIONS } from './migrations/migrations.js';
import { type Scope } from './projects/project.js';
import { countProposals } from './proposals/count-proposals.sql.js';
import { findProposal } from './proposals/find-proposal.sql.js';
import { listProposals } from './proposals/list-proposals.sql.js';
import { removeProposal } from './proposals/remove-proposal.sql.js';
import { COUNTED_QUOTAS, largestShare } from './quotas/largest-share.sql.js';
import { findSetType } from './sets/find-set-type.sql.js';
import { findSets } from './sets/find-sets.sql.js';
import { keysOfTypes } from './sets/keys-of-types.sql.js';
import { listSetTypes } from './sets/list-set-types.sql.js';
import { tagsOfTypes } from './sets/tags-of-types.sql.js';
import { nextParts } from './transfer/next-parts.sql.js';

const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const SCOPES = (['none', 'read', 'change'] as const).map((organization) => ({ organization }));

const NOON = '2024-05-01T12:00:00.000000Z' as Instant;

/** Of a feature, and of the episodes that it cites. */
const A_FILTER: Filter = {
  op: 'and',
  args: ['category_id', 'tag_id', 'session_key', 'producer_id', 'trust'].map((name) => ({
    op: 'compare',
    field: { kind: 'system', name: name as SystemField },
    comparison: '=',
    value: { type: 'string', value: 'x' },
  })),
};

type OfScope = (scope: Pick<Scope, 'organization'>) => CheckedStatement;

const OF_SCOPES: readonly OfScope[] = [
  ...[
    anyOfFeature,
    changeOfFeature,
    conflictsOf,
    countFeatures,
    countJobs,
    countLetters,
    countSetChanges,
    dropLetter,
    findFeature,
    findLetter,
    findSets,
    historyEntries,
    historyOfChanges,
    historySince,
    holdTag,
    indexVersionsInState,
    isSubject,
    knownEntries,
  ],
  ...[
    listJobs,
    listLetters,
    listSetTypes,
    listUsage,
    lockJobsOfLetters,
    oldestProblem,
    replayLetters,
    someLetters,
  ],
  ...[listConflicts, weighEndings, countProposals, findProposal, listProposals, removeProposal],
  ...[countModelCalls, findModelCall, listModelCalls],
  ...[factsByUid, keysOfTypes, recordsByUid, tagsOfTypes, wantedEmbedders],
];

/** With and without a filter, for each scope. */
const readableBy = (statement: (matches: Predicate) => CheckedStatement, firstParameter: number) =>
  SCOPES.flatMap(({ organization }) => {
    const scope = { organization, orgId: 'acme', projectUid: undefined };
    return [undefined, A_FILTER].map((filter) => statement(readable(scope, { filter }, firstParameter)));
  });

/** With and without a lock. */
const lockable = (statement: (scope: Pick<Scope, 'organization'>, isLocked: boolean) => CheckedStatement) =>
  SCOPES.flatMap((scope) => [statement(scope, false), statement(scope, true)]);

const COMPOSITIONS = new Map<unknown, CheckedStatement[]>([
  ...OF_SCOPES.map((statement) => [statement, SCOPES.map(statement)] as const),
  [countListedFeatures, readableBy(countListedFeatures, 2)],
  [featuresByUid, readableBy((matches) => featuresByUid(matches, undefined), 6)],
  [
    listFeatures,
    [false, true].flatMap((pinned) => readableBy((matches) => listFeatures(matches, pinned), 5)),
  ],
  [
    listFeaturesFrom,
    [false, true].flatMap((hasBegun) => readableBy((matches) => listFeaturesFrom(matches, hasBegun), 4)),
  ],
  [matchingFeatureUids, readableBy(matchingFeatureUids, 5)],
  [newestMatching, readableBy(newestMatching, 4)],
  [newestOfEachCategory, readableBy(newestOfEachCategory, 4)],
  [claimSet, [claimSet(false), claimSet(true)]],
  [eraseRows, [FEATURES, ...OWNED, DELETED_EPISODES].map(eraseRows)],
  [findCategory, lockable(findCategory)],
  [findSetType, lockable(findSetType)],
  [forgetCommands, [OF_DELETED_EPISODES, IN_SETS].map(forgetCommands)],
  [forgetMessagesWithoutSet, [forgetMessagesWithoutSet(OF_DELETED_EPISODES)]],
  [forgetMessages, [OF_DELETED_EPISODES, IN_SETS].map(forgetMessages)],
  [lockJobsOfMessages, [OF_DELETED_EPISODES, IN_SETS].map(lockJobsOfMessages)],
  [largestShare, COUNTED_QUOTAS.map(largestShare)],
  [
    listSetChanges,
    SCOPES.flatMap((scope) => [false, true].map((hasBegun) => listSetChanges(scope, hasBegun))),
  ],
  [pageOfHistory, SCOPES.flatMap((scope) => [false, true].map((hasBegun) => pageOfHistory(scope, hasBegun)))],
  [
    nextParts,
    SCOPES.flatMap((scope) =>
      SEMANTIC_PARTS.flatMap((part) => [
        nextParts(scope, part, { features: held({}, 5), goesOn: false }),
        nextParts(scope, part, { features: held({ validity: 'ended' }, 7), goesOn: true }),
        ...(part === 'features'
          ? [nextParts(scope, part, { features: held({ asOf: NOON }, 7), goesOn: true })]
          : []),
      ]),
    ),
  ],
]);

const FORMER_KEYS = ['features_by_uid', 'deleted_episodes_by_uid'];

const DISTRIBUTED = { schema: SCHEMA, distribution: DISTRIBUTION, formerKeys: FORMER_KEYS };

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
    'of the indexing library',
    { folder: folder('../../../libs/indexing/src'), context: [new FeatureTable()] },
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
  expect(rows.map(({ name }) => name).sort()).toEqual([
    'citations',
    'feature_history',
    'features',
    'ingestion_messages',
    'ingestion_progress',
  ]);
});

test('the keys of every table contain the column by which it can be spread over servers', async () => {
  expect(await distributionProblems({ url: database.url, ...DISTRIBUTED })).toEqual([]);
});

/** They work on the rows of several sets; and why. */
const OF_SEVERAL_SETS: Readonly<Record<string, readonly string[]>> = {
  'a client names it by its uid alone': [
    'conflicts/conflicting-features.sql.ts',
    'conflicts/conflicts-of.sql.ts',
    'features/facts-by-uid.sql.ts',
    'features/find-feature.sql.ts',
    'features/any-of-feature.sql.ts',
    'features/change-of-feature.sql.ts',
    'features/page-of-history.sql.ts',
    'features/records-by-uid.sql.ts',
    'ingestion/model-calls/find-model-call.sql.ts',
    'transfer/ingested-messages.sql.ts',
    'transfer/taken-features.sql.ts',
  ],
  'sets of a type, some of which have a category of their own': ['categories/sets-of-category.sql.ts'],
  'whom any set of the project is about': ['subjects/is-subject.sql.ts'],
  ...INDEXING_OF_ALL,
  'a collection of Qdrant that is lost, and the features in it': ['content/may-have-vectors.sql.ts'],
  'a metric, or a count of what many sets have': [
    'feature-index/count-features.sql.ts',
    'feature-index/index-versions-in-state.sql.ts',
    'feature-index/oldest-problem.sql.ts',
    'feature-index/wanted-embedders.sql.ts',
    'ingestion/jobs/ingestion-counts.sql.ts',
    'ingestion/status/count-jobs.sql.ts',
    'ingestion/status/list-jobs.sql.ts',
    'quotas/largest-share.sql.ts',
    'reembedding/reembedding-progress.sql.ts',
  ],
  'erasure: what was drawn from episodes, or from features, wherever it is': [
    'erasure/cited-episodes.sql.ts',
    'erasure/episodes-of-history.sql.ts',
    'erasure/erase-rows.sql.ts',
    'erasure/features-dated-by.sql.ts',
    'erasure/forget-history.sql.ts',
    'erasure/forget-model-calls.sql.ts',
    'erasure/forget-proposals.sql.ts',
    'erasure/said-removals.sql.ts',
    'erasure/sets-citing.sql.ts',
    'erasure/uncite-episodes.sql.ts',
    'features/forget-model-calls-of.sql.ts',
    'features/forget-proposals-of.sql.ts',
    'forgetting/count-learned-only-from.sql.ts',
    'ingestion/backlog/forget-commands.sql.ts',
    'ingestion/backlog/forget-deferred.sql.ts',
    'ingestion/backlog/forget-messages.sql.ts',
    'ingestion/backlog/lock-jobs-of-messages.sql.ts',
    'ingestion/backlog/messages-of-project.sql.ts',
    'ingestion/model-calls/keep-model-call.sql.ts',
    'settings/reconsider-model-calls.sql.ts',
  ],
  'a sweeper, or a periodic job': [
    'indexing/take-overdue-features.sql.ts',
    'ingestion/backlog/deferred-messages.sql.ts',
    'ingestion/backlog/drop-empty-letters.sql.ts',
    'ingestion/backlog/messages-with-room.sql.ts',
    'ingestion/jobs/find-idle-orgs.sql.ts',
    'ingestion/jobs/remove-idle-queues.sql.ts',
    'ingestion/jobs/resume-sets.sql.ts',
    'ingestion/model-calls/expire-model-calls.sql.ts',
    'ingestion/reconciliation/noted-episodes.sql.ts',
    'ingestion/reconciliation/remove-learned-messages.sql.ts',
    'words/take-uncounted.sql.ts',
  ],
  'intake: messages of several sets, each of which is in its row': [
    'ingestion/backlog/defer-messages.sql.ts',
    'ingestion/backlog/former-messages.sql.ts',
    'ingestion/backlog/remove-messages-without-set.sql.ts',
    'ingestion/backlog/take-messages.sql.ts',
    'ingestion/backlog/unknown-messages.sql.ts',
  ],
  'an organization or a project lists, changes or counts what it has in all of its sets': [
    'conflicts/list-conflicts.sql.ts',
    'ingestion/dead-letters/count-letters.sql.ts',
    'ingestion/dead-letters/drop-letter.sql.ts',
    'ingestion/dead-letters/find-letter.sql.ts',
    'ingestion/dead-letters/list-letters.sql.ts',
    'ingestion/dead-letters/lock-jobs-of-letters.sql.ts',
    'ingestion/dead-letters/replay-letters.sql.ts',
    'ingestion/dead-letters/some-letters.sql.ts',
    'ingestion/model-calls/count-model-calls.sql.ts',
    'ingestion/model-calls/list-model-calls.sql.ts',
    'ingestion/relearning/features-to-relearn.sql.ts',
    'ingestion/relearning/relearning-cost.sql.ts',
    'ingestion/relearning/relearning-progress.sql.ts',
    'proposals/find-proposal.sql.ts',
    'proposals/remove-proposal.sql.ts',
    'transfer/next-parts.sql.ts',
  ],
  'a worker looks for work': [
    'ingestion/jobs/claim-set.sql.ts',
    'ingestion/jobs/is-any-due.sql.ts',
    'ingestion/jobs/schedule-sets.sql.ts',
    'reembedding/claim-building.sql.ts',
    'reembedding/due-reembeddings.sql.ts',
    'reembedding/lock-retired.sql.ts',
  ],
  'which models are chosen': [
    'ingestion/settings/is-model-chosen.sql.ts',
    'reembedding/chosen-embedders.sql.ts',
  ],
};

test('every statement says of which set its rows are, but for those of work on several', async () => {
  const found = [];
  for (const [, statements] of STATEMENTS) {
    found.push(...(await statementsOfAllRows({ url: database.url, ...DISTRIBUTED, ...statements })));
  }
  expect(found.sort()).toEqual(Object.values(OF_SEVERAL_SETS).flat().sort());
});
