import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/**
 * No row when no such project is being deleted. Parameters: uid of a project that is being deleted, the holder that erased its
 * part.
 */
export const CONFIRM_ERASURE = sql({
  text: `UPDATE ${SCHEMA}.projects SET pending_erasures = array_remove(pending_erasures, $2)
         WHERE uid = $1 AND deleted_at IS NOT NULL
         RETURNING pending_erasures = '{}' AS is_erased`,
  row: { is_erased: 'bool?' },
});
