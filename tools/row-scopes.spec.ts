import { describe, expect, test } from '@jest/globals';
import { membersThatSeeAll, requestsThatSeeAll } from './row-scopes.js';

/** Code that serves requests, or stands beside code that does, and works on the rows of all tenants; and why. */
const EXCEPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  config: {
    'api-keys/api-keys.repository.ts findValid': 'only the secret of a key tells whose it is',
    'names/note-names.ts noteNames': 'a name is kept from look-alikes in all organizations',
    'api-keys/api-keys.repository.ts revokeExpired': 'no request: a periodic job',
    'notifications/notifications.repository.ts record': 'no request: a consumer, of any organizations',
    'notifications/notifications.repository.ts removeBefore': 'no request: a periodic job',
    'names/look-alike-names.ts refuse': 'a name is compared with those of all organizations',
    'names/look-alike-names.ts refuseKeeping': 'a name is compared with those of all organizations',
    'names/look-alike-names.ts refuseLookAlike': 'a name is compared with those of all organizations',
    'projects/projects.repository.ts confirmErasure': 'an event names the project by its uid alone',
    'projects/projects.repository.ts list': 'a caller without an organization lists all of them',
    'projects/projects.repository.ts listUsing': 'models of the deployment: any project may use one',
    'projects/projects.repository.ts takeUnconfirmed': 'no request: a periodic job',
    'quotas/quota-use.repository.ts largestShare': 'a metric of all organizations',
    'rows-within.ts rowsWithin': 'a caller without an organization sees all of them',
  },
  episodic: {
    'deletions/deletions.repository.ts countOpenOf': 'counts in all projects of an organization',
    'deletions/deletions.repository.ts forget': 'no request: a periodic job',
    'deletions/deletions.repository.ts isAnyDue': 'no request: a worker looks for the next job',
    'deletions/deletions.repository.ts claim': 'no request: a worker takes the next job',
    'episodes/episode-feed.ts follow': 'semantic memory reads the episodes of all projects',
    'episodes/episodes.repository.ts store': 'adds of many tenants share a statement (decision 0006)',
    'indexing/index-state.repository.ts take': 'no request: a sweeper',
    'indexing/index-state.repository.ts projectsWithWaiting': 'no request: a sweeper',
    'summaries/summaries.repository.ts enqueueOverdue': 'no request: a sweeper',
    'summaries/summaries.repository.ts want': 'no request: a consumer, which names the project',
  },
  semantic: {
    'categories/categories.repository.ts keep': 'no request: ingestion, which names the category by its uid',
    'categories/category-quota.ts most': 'counts in all projects of an organization',
    'features/feature-history.repository.ts forget':
      'calls of models show features of an organization to any of its projects',
    'features/features.repository.ts deletedAmong':
      'features of an organization cite episodes of any of its projects',
    'indexing/feature-table.ts scopeOf': 'the uid of a set, which a query of the tenant has told',
    'ingestion/backlog/messages-without-set.ts IN_ALL': 'no request: intake, of any organizations',
    'ingestion/backlog/messages-without-set.ts areThere': 'no request: a periodic job',
    'ingestion/backlog/messages-without-set.ts count': 'counts in all projects of an organization',
    'ingestion/dead-letters/ingestion-dead-letters.repository.ts replay':
      'messages of a set belong to any projects of its organization',
    'ingestion/model-calls/model-calls.repository.ts expire': 'no request: a periodic job',
    'ingestion/model-calls/model-calls.repository.ts noteMade': 'no request: a pass, which names the call',
    'ingestion/usage/model-quotas.ts exceeded': 'the quota is of all projects of an organization',
    'ingestion/usage/model-quotas.ts reserve': 'the quota is of all projects of an organization',
    'ingestion/usage/model-quotas.ts settle': 'the quota is of all projects of an organization',
    'projects/projects.repository.ts keepAllOpen': 'no request: intake, of any organizations',
    'projects/projects.repository.ts lock': 'no request: an event names the project by its uid alone',
    'quotas/quotas.service.ts used': 'the quota is of all projects of an organization',
    'sets/set-type-quota.ts usedBy': 'the quota is of all projects of an organization',
    'sets/sets.repository.ts known': 'intake asks for sets of any owners; only uids are told',
    'sets/sets.repository.ts register': 'sets of several owners, each named in its row, which triggers count',
    'sets/sets.repository.ts using': 'models of the deployment: any set may use one',
    'transfer/transfer.repository.ts taken': 'a uid is taken by whichever tenant; only that is told',
  },
};

test.each(Object.entries(EXCEPTIONS))(
  'what serves requests in the %s service works in the scope of the tenant, but for these exceptions',
  (service, exceptions) => {
    expect(requestsThatSeeAll(`apps/${service}-service/src`)).toEqual(Object.keys(exceptions).sort());
  },
);

describe('the rows of all tenants are found', () => {
  test.each([
    [
      'in a method',
      'class A {\n  async remove(uid: string) {\n    return run(uid, ROWS_OF_ALL);\n  }\n}',
      'remove',
    ],
    ['under another name', 'const IN_ALL = { scope: ROWS_OF_ALL };', 'IN_ALL'],
  ])('%s', (_, text, member) => {
    expect(membersThatSeeAll(text)).toEqual([member]);
  });

  test('but not in an import', () => {
    expect(membersThatSeeAll("import { ROWS_OF_ALL, rowsOf } from '@loci/persistence';")).toEqual([]);
  });
});
