import { notFound, type RemovedEpisodes } from '@loci/contracts';

/** @throws AppError `memory_not_found` that tells which ids were deleted and which were not there */
export function refuseMissing({ deleted, notFound: missing }: RemovedEpisodes): void {
  if (missing.length === 0) return;
  const detail =
    deleted.length === 0
      ? 'None of these memories exists in the project.'
      : 'Some of these memories do not exist in the project; the others were deleted.';
  throw notFound('memory_not_found', detail, { fields: { not_found: missing, deleted } });
}
