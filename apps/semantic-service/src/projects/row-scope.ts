import { type RowScope, rowsOf } from '@loci/persistence';
import { type Scope } from './project.js';

/** The rows that a scope shows: those of its organization as a whole, and those of its project. */
export const rowsIn = ({ orgId, projectUid }: Scope): RowScope => rowsOf(`${orgId}/${projectUid ?? ''}`);
