import { beforeEach, expect, test } from '@jest/globals';
import { type Instant, type TransferredFeature } from '@loci/contracts';
import { type RpcClient } from '@loci/messaging';
import { ROWS_OF_ALL } from '@loci/persistence';
import { useFreshSets } from '../../test/fresh-sets.js';
import { largestRead } from '../../test/largest-read.js';
import { type SemanticSpec, specAdd, specCitation } from '../../test/semantic-spec.js';
import { SCHEMA } from '../database.js';
import { BEGIN_RELEARNING } from '../ingestion/backlog/relearning-position.sql.js';
import { type EpisodeIntake } from '../ingestion/intake/episode-intake.js';
import { RelearningSteps } from '../ingestion/relearning/relearning-steps.js';
import { type OpenProject } from '../projects/project.js';
import { type MemorySet } from '../sets/set.js';
import { FeatureImport } from '../transfer/feature-import.js';
import { NamedSets } from '../transfer/import-context.js';
import { TransferRepository } from '../transfer/transfer.repository.js';
import { type FeatureChange } from './feature-change.js';
import { MAX_READ_BYTES } from './bounded-records.js';

const CATEGORY = 'profile';
const FEATURES = 9;
const BYTES = 2_000_000;

let spec: SemanticSpec;
let project: OpenProject;
let set: MemorySet;

useFreshSets((fresh) => {
  ({ spec, project, set } = fresh);
});

const numbers = Array.from({ length: FEATURES }, (_, index) => index + 1);

/** Features that are too large to be read together. */
beforeEach(async () => {
  await spec.query(
    `INSERT INTO ${SCHEMA}.features (uid, set_uid, org_id, project_uid, category, tag, name, value, metadata, by_client, created_at)
     SELECT gen_random_uuid(), $1, $2, $3, '${CATEGORY}', 'facts', 'name ' || one, 'said',
       jsonb_build_object('note', repeat('x', ${BYTES})), false, '2020-01-01'
     FROM generate_series(1, ${FEATURES}) AS one`,
    [set.uid, set.orgId, project.uid],
  );
});

const valuesOf = async (validity: 'all' | 'current'): Promise<string[]> =>
  (
    await spec.query<{ value: string }>(
      `SELECT value FROM ${SCHEMA}.features WHERE set_uid = $1 AND deleted_at IS NULL
       AND ($2 = 'all' OR valid_until IS NULL)`,
      [set.uid, validity],
    )
  ).map(({ value }) => value);

const named = (kind: 'add' | 'update', name: number, value: string): FeatureChange => ({
  ...(specAdd(value, specCitation(project.uid)) as Extract<FeatureChange, { kind: 'add' }>),
  kind,
  name: `name ${name}`,
});

test('changes of large features are made in parts that fit, as one change', async () => {
  const changes = numbers.map((number) => named('update', number, 'said anew'));
  let updated = 0;
  const read = await largestRead(spec.features, async () => {
    updated = (await spec.apply(set, CATEGORY, changes)).updated.length;
  });
  expect(read).toBeLessThan(MAX_READ_BYTES);
  expect(updated).toBe(FEATURES);
  expect([(await valuesOf('current')).length, (await valuesOf('all')).length]).toEqual([
    FEATURES,
    2 * FEATURES,
  ]);
  const made = await spec.query(
    `SELECT DISTINCT change_uid FROM ${SCHEMA}.feature_history WHERE set_uid = $1`,
    [set.uid],
  );
  expect(made).toHaveLength(1);
});

test('a project is learned again without all of its large features in memory', async () => {
  const { projects, features, writer, unitOfWork, outbox } = spec;
  const [rpc, intake] = [{} as RpcClient, {} as EpisodeIntake];
  const steps = new RelearningSteps(projects, features, writer, rpc, intake, unitOfWork, outbox);
  const startedAt = '2100-01-01T00:00:00.000000Z' as Instant;
  await unitOfWork.execute(BEGIN_RELEARNING, [project.uid, startedAt], { scope: ROWS_OF_ALL });
  const step = { tenant: project.tenant, projectUid: project.uid, startedAt };
  expect(await largestRead(features, () => steps.step(step))).toBeLessThan(MAX_READ_BYTES);
  expect(await valuesOf('all')).toEqual([]);
});

test('an import reads what it adds citations to in parts that fit, and nothing of what else it names', async () => {
  const { features, writer, categories, unitOfWork } = spec;
  const imports = new FeatureImport(features, writer, new TransferRepository(unitOfWork), categories);
  const rows = await spec.query<{ uid: string; name: string }>(
    `SELECT uid, name FROM ${SCHEMA}.features WHERE set_uid = $1 ORDER BY name`,
    [set.uid],
  );
  const citation = specCitation(project.uid);
  const lines = rows.map(({ uid, name }): TransferredFeature => ({
    ...{ sourceUid: uid, set: { isOrgLevel: false, tags: {} }, category: CATEGORY, tag: 'facts', name },
    ...{ value: 'said', metadata: {}, byClient: false, citations: ['message'] },
  }));
  const add = (given: readonly TransferredFeature[]) =>
    unitOfWork.run(async (tx) => {
      const context = { tx, project, sets: new NamedSets(project), organization: 'none' as const };
      return imports.add(given, new Map([['message', citation]]), context);
    });
  let added = 0;
  const read = await largestRead(features, async () => {
    added = (await add(lines)).added;
  });
  expect(read).toBeLessThan(MAX_READ_BYTES);
  expect(added).toBe(FEATURES);
  const naming = { ...lines[0], sourceUid: 'new', name: 'new', contradicts: rows.map(({ uid }) => uid) };
  const small = await largestRead(features, () => add([naming as TransferredFeature]));
  expect(small).toBeLessThan(BYTES);
});
