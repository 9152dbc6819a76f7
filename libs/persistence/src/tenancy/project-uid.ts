import { invalid } from '@loci/contracts';
import { validate as isUuid } from 'uuid';

/**
 * The identity of a project, as every function of the data layer takes it. A plain string does not fit, so that no
 * episode's uid, and nothing a client wrote, ends up in the place of the tenant.
 */
export type ProjectUid = string & { readonly __brand: 'ProjectUid' };

/** @throws AppError `invalid_request` when the text is no UUID */
export function projectUid(text: string): ProjectUid {
  if (isUuid(text)) return text.toLowerCase() as ProjectUid;
  throw invalid('invalid_request', [
    { loc: ['body', 'projectUid'], msg: 'The uid of a project must be a UUID.', type: 'uuid_type' },
  ]);
}
