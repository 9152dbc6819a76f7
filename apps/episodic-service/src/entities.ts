import { indexEntities } from '@loci/indexing';
import { WorkLeaseEntity } from '@loci/persistence';
import { DeletionEntity } from './deletions/deletion.entity.js';
import { EpisodeEntity } from './episodes/episode.entity.js';
import { ProjectEntity } from './projects/project.entity.js';
import { SummaryEntity } from './summaries/summary.entity.js';

/** Every table of the schema but those of the persistence library. */
export const ENTITIES = [
  DeletionEntity,
  EpisodeEntity,
  ProjectEntity,
  SummaryEntity,
  WorkLeaseEntity,
  ...indexEntities(() => ProjectEntity),
];
