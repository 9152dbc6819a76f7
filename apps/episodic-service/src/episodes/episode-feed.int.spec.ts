import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  type AdditionPosition,
  type FollowedEpisode,
  followEpisodes,
  type ProjectReference,
} from '@loci/contracts';
import { DrainingNatsServer, NatsLink, NatsModule, RpcClient, RpcServerModule } from '@loci/messaging';
import { HealthChecks, Logger, Metrics } from '@loci/platform';
import { ROWS_OF_ALL } from '@loci/persistence';
import { eventually, type PlanRow, RecordingLogger, rowsReadBy, TestDatabase } from '@loci/testing';
import { type INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type AsyncMicroserviceOptions } from '@nestjs/microservices';
import { batchOf, migrate, Replica } from '../../test/replica.js';
import { EpisodeFeed } from './episode-feed.js';
import { EpisodesController } from './episodes.controller.js';
import { EpisodesService } from './episodes.service.js';
import { FOLLOW_EPISODES } from './follow-episodes.sql.js';

const NATS_URL = process.env['NATS_URL'] ?? '';
const HOUR_MS = 3_600_000;
const PAGE = 200;
const logger = new RecordingLogger();

let database: TestDatabase;
let replica: Replica;
let service: INestMicroservice;
let link: NatsLink;
let client: RpcClient;
let project: ProjectReference;

beforeAll(async () => {
  database = await TestDatabase.create();
  await migrate(database.url);
  replica = await Replica.open(database.url);
  service = await serve(replica);
  link = await NatsLink.connect({ url: NATS_URL, name: 'episode-feed-spec-client' }, logger);
  client = new RpcClient(link);
});

afterAll(async () => {
  await link.close();
  await service.close();
  await replica.close();
  await database.drop();
});

beforeEach(async () => {
  await database.query('TRUNCATE episodic.episodes');
  project = await replica.openProject();
});

/** Answers `episode.follow` from the database of a replica. */
async function serve({ unitOfWork, episodes }: Replica): Promise<INestMicroservice> {
  const notUsed = undefined as never;
  const feed = new EpisodeFeed(unitOfWork);
  const platform = [
    { provide: Logger, useValue: logger },
    { provide: Metrics, useValue: new Metrics('spec') },
    { provide: HealthChecks, useValue: new HealthChecks() },
  ];
  const root = {
    module: class SpecRoot {},
    imports: [
      { module: class SpecPlatform {}, global: true, providers: platform, exports: platform },
      NatsModule.forRoot({ url: NATS_URL, name: 'episode-feed-spec' }),
      RpcServerModule.forRoot({ queue: 'episode-feed-spec' }),
    ],
    controllers: [EpisodesController],
    providers: [
      {
        provide: EpisodesService,
        useValue: new EpisodesService(episodes, notUsed, notUsed, notUsed, feed, notUsed, notUsed, notUsed),
      },
    ],
  };
  const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(root, {
    inject: [DrainingNatsServer],
    useFactory: (strategy: DrainingNatsServer) => ({ strategy }),
    logger: false,
  } as AsyncMicroserviceOptions);
  await app.listen();
  return app;
}

const follow = async (
  after?: AdditionPosition,
  { olderThanMs = 0, limit = 100 } = {},
): Promise<readonly FollowedEpisode[]> =>
  (await client.call(followEpisodes, { after, olderThanMs, limit })).episodes;

const uidsOf = (episodes: readonly FollowedEpisode[]): string[] => episodes.map(({ uid }) => uid);

/** All that is to be followed, once nothing holds it back: housekeeping of PostgreSQL is a transaction, too. */
const complete = (count: number): Promise<readonly FollowedEpisode[]> =>
  eventually(
    async () => {
      const episodes = await follow();
      return episodes.length === count && episodes;
    },
    { what: `${count} episodes can be followed` },
  );

test('page by page come all episodes of all projects in the order of adding, those of one add by uid', async () => {
  const other = await replica.openProject();
  const expected: string[] = [];
  for (const { tenant } of [project, other, project]) {
    const batch = batchOf({}, {}, {});
    await replica.episodes.add(tenant, batch);
    expected.push(...batch.episodes.map(({ uid }) => uid).sort());
  }
  const all = await complete(9);
  expect(uidsOf(all)).toEqual(expected);
  expect(all.map((one) => one.project)).toEqual([project, other, project].flatMap((one) => [one, one, one]));
  const paged: FollowedEpisode[] = [];
  for (let page = await follow(undefined, { limit: 2 }); page.length > 0;) {
    expect(page.length).toBeLessThanOrEqual(2);
    paged.push(...page);
    page = await follow(paged.at(-1), { limit: 2 });
  }
  expect(paged).toEqual(all);
});

test('an add that takes long is overtaken by nothing: who follows passes it only when it is there', async () => {
  const [slow, quick] = [batchOf({}), batchOf({})];
  await replica.unitOfWork.run(async (tx) => {
    await replica.episodes.add(project.tenant, slow, tx);
    await replica.episodes.add(project.tenant, quick);
    expect(await replica.count(project.projectUid)).toBe(1);
    expect(await follow()).toEqual([]);
  });
  expect(uidsOf(await complete(2))).toEqual([...slow.episodes, ...quick.episodes].map(({ uid }) => uid));
});

test('what is younger than wanted is left for later', async () => {
  await replica.addEach(project.tenant, ['young', 'old']);
  const [, old = ''] = uidsOf(await complete(2));
  await database.query(
    `UPDATE episodic.episodes SET added_at = added_at - interval '2 hours' WHERE uid = $1`,
    [old],
  );
  expect(uidsOf(await follow(undefined, { olderThanMs: HOUR_MS }))).toEqual([old]);
});

test('what semantic memory has no business with is passed over', async () => {
  const closed = await replica.openProject();
  const [gone = '', stays = ''] = await replica.addEach(project.tenant, ['deleted', 'stays']);
  await replica.addEach(closed.tenant, ['of a project that is closed']);
  await replica.episodes.add(project.tenant, { ...batchOf({}), types: ['episodic'] });
  await complete(3);
  await replica.unitOfWork.run((tx) => replica.episodes.remove(project.projectUid, [gone], tx));
  await replica.projects.close(closed);
  expect(uidsOf(await complete(1))).toEqual([stays]);
});

test('a page reads about as many rows as it gives, however many follow', async () => {
  await replica.addMany(project.projectUid, 5_000, 'now()');
  const ask = (statement: string, values: unknown[]): Promise<PlanRow[]> =>
    replica.unitOfWork.single((manager) => manager.query<PlanRow[]>(statement, values), ROWS_OF_ALL);
  const bounds = [null, null, new Date(Date.now() + HOUR_MS), PAGE];
  expect(await rowsReadBy(ask, FOLLOW_EPISODES.text, bounds)).toBeLessThan(4 * PAGE);
});
