import { type RowScope, rowsOf } from '@loci/persistence';
import { type Owner } from './project.js';

/** The rows of an organization as a whole, and those of one of its projects. */
export const rowsIn = ({ orgId, projectUid }: Owner): RowScope => rowsOf(`${orgId}/${projectUid ?? ''}`);
