import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { CATEGORY_COLUMNS, CATEGORY_ROW } from './category-rows.js';

/** Oldest first. Parameter: the type of sets. @param isLocked whether nothing else changes them until the transaction ends */
export const listTemplates = (isLocked: boolean) =>
  sql({
    text: `SELECT ${CATEGORY_COLUMNS} FROM ${SCHEMA}.categories WHERE set_type_uid = $1
           ORDER BY created_at, uid ${isLocked ? 'FOR UPDATE' : ''}`,
    row: CATEGORY_ROW,
  });
