import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { type OpenProject } from '../src/projects/project.js';
import { type MemorySet } from '../src/sets/set.js';
import { servicesOf, type SpecServices } from './semantic-services.js';
import { SemanticSpec } from './semantic-spec.js';

/** What each test of a file has. */
export interface FreshSet {
  /** The same for all of them. */
  readonly spec: SemanticSpec;
  readonly services: SpecServices;
  readonly project: OpenProject;
  readonly set: MemorySet;
}

/**
 * Gives each test of a file a set of a project of its own, on one database. To be called outside of the tests.
 * @param use told before each test
 */
export function useFreshSets(use: (fresh: FreshSet) => void): void {
  let spec: SemanticSpec;
  let services: SpecServices;
  beforeAll(async () => {
    spec = await SemanticSpec.create();
    services = servicesOf(spec);
  });
  beforeEach(async () => {
    const project = await spec.newProject({ orgId: uuidv7(), projectId: 'main' });
    use({ spec, services, project, set: await spec.newSet(project) });
  });
  afterAll(() => spec.close());
}
