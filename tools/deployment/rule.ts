import { type Container, containersOf, type Manifest, type Workload, workloadsOf } from './manifests.js';

/** What of an overlay is not as it has to be, in sentences that name the object; none when all is right. */
export type Rule = (manifests: readonly Manifest[]) => string[];

/** A rule about each workload: what is wrong with it, if anything. */
export const ofWorkloads =
  (problem: (workload: Workload, manifests: readonly Manifest[]) => string | undefined): Rule =>
  (manifests) =>
    workloadsOf(manifests).flatMap((workload) =>
      sentences(workload.metadata.name, problem(workload, manifests)),
    );

/** A rule about each container. */
export const ofContainers =
  (problem: (container: Container, workload: Workload) => string | undefined): Rule =>
  (manifests) =>
    workloadsOf(manifests).flatMap((workload) =>
      containersOf(workload).flatMap((container) =>
        sentences(workload.metadata.name, problem(container, workload)),
      ),
    );

const sentences = (name: string, problem: string | undefined): string[] =>
  problem === undefined ? [] : [`${name}: ${problem}`];
