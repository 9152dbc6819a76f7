import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AppError } from '@loci/contracts';
import { v7 as uuidv7 } from 'uuid';
import { servicesOf, type SpecServices } from '../../test/semantic-services.js';
import { SemanticSpec } from '../../test/semantic-spec.js';
import { SemanticServiceEnv } from '../env.js';
import { type OpenProject } from '../projects/project.js';

const QUOTA = 3;

let spec: SemanticSpec;
let services: SpecServices;

beforeAll(async () => {
  spec = await SemanticSpec.create();
  const env = new SemanticServiceEnv();
  env.QUOTA_SET_TYPES = QUOTA;
  services = servicesOf(spec, env);
});

afterAll(() => spec.close());

/** @returns the code of the refusal; undefined when it was added, or was there */
const add = ({ tenant }: OpenProject, tag: string, isOrgLevel = false): Promise<string | undefined> =>
  services.setTypes.add({ tenant, organization: 'change', isOrgLevel, tags: [tag] }).then(
    () => undefined,
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

test('an organization gets as many set types as the quota says, in all projects together and however many ask at once', async () => {
  const orgId = uuidv7();
  const projects = [
    await spec.newProject({ orgId, projectId: 'one' }),
    await spec.newProject({ orgId, projectId: 'two' }),
  ];
  const codes = await Promise.all(
    projects.flatMap((project) => ['a', 'b', 'c'].map((tag) => add(project, tag))),
  );
  expect(codes.filter((code) => code === undefined)).toHaveLength(QUOTA);
  expect(codes.filter((code) => code === 'quota_exceeded')).toHaveLength(6 - QUOTA);
  const [project] = projects;
  if (!project) throw new Error('no project');
  expect(await add(project, 'of all', true)).toBe('quota_exceeded');
  const other = await spec.newProject({ orgId: uuidv7(), projectId: 'one' });
  expect(await add(other, 'a')).toBeUndefined();
});

test('one that is there already is given where there is no room', async () => {
  const project = await spec.newProject({ orgId: uuidv7(), projectId: 'full' });
  for (const tag of ['a', 'b', 'c']) expect(await add(project, tag)).toBeUndefined();
  expect([await add(project, 'a'), await add(project, 'd')]).toEqual([undefined, 'quota_exceeded']);
});
