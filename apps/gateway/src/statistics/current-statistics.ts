import { Injectable } from '@nestjs/common';
import { ProcessReports } from './process-reports.js';
import { type StatisticsAnswer, statisticsOf } from './statistics.wire.js';

/** With 100 busy processes adding up takes 40 ms: it is done once for all who ask at about the same time. */
const CURRENT_MS = 1_000;

/** What the reports of all processes tell, at most a second old. */
@Injectable()
export class CurrentStatistics {
  private readonly known = new Map<number, { readonly at: number; readonly answer: StatisticsAnswer }>();

  constructor(private readonly reports: ProcessReports) {}

  /** @param minutes so many of the last ones, with the one that runs */
  of(minutes: number, now = Date.now()): StatisticsAnswer {
    const known = this.known.get(minutes);
    if (known && now - known.at < CURRENT_MS) return known.answer;
    const answer = statisticsOf(this.reports, minutes, now);
    this.known.set(minutes, { at: now, answer });
    return answer;
  }
}
