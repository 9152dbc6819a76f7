import { Metrics } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ROWS_OF_ALL } from '../statements/row-scope.js';
import { countSetAside, type LeasedTable } from './count-set-aside.sql.js';

/** What is set aside, asked of the database at each scrape. */
@Injectable()
export class SetAsideMetrics {
  constructor(metrics: Metrics, unitOfWork: UnitOfWork, schema: string, tables: readonly LeasedTable[]) {
    metrics.gauge(
      'work_set_aside',
      'Work that ended its process three times in a row and waits for an operator, in all processes together.',
      ['kind'],
      async (gauge) => {
        const statement = countSetAside(schema, tables);
        // while the database is down the other metrics are wanted all the more
        const counts = await unitOfWork.execute(statement, [], { scope: ROWS_OF_ALL }).catch(() => []);
        gauge.reset();
        for (const { kind, works } of counts) gauge.set({ kind }, works);
      },
    );
  }
}
