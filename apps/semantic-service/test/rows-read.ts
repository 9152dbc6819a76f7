import { type RowScope, type UnitOfWork } from '@loci/persistence';
import { type PlanRow, rowsReadBy } from '@loci/testing';

/** Rows of tables that a statement reads, as the service executes it: under row security. NaN where there is no plan. @param table counts this one alone */
export function rowsRead(
  unitOfWork: UnitOfWork,
  statement: string,
  values: readonly unknown[],
  scope: RowScope,
  table?: string,
): Promise<number> {
  return unitOfWork.single(
    (manager) =>
      rowsReadBy((text, parameters) => manager.query<PlanRow[]>(text, parameters), statement, values, table),
    scope,
  );
}
