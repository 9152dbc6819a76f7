import { notFound } from '@loci/contracts';

export const changeNotFound = (of: 'feature' | 'set'): Error =>
  notFound(
    'change_not_found',
    `No such change of this ${of} is known, so nothing was undone; list the changes of the ${of}.`,
  );
