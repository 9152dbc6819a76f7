import { type CountedByMinute, KEPT_MINUTES, type MinuteFigures, type TimedByMinute } from '@loci/contracts';
import { quantileMs, together } from '@loci/platform';
import { boolean, byDefault, described, integer } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { instantText, nullable } from '../wire/answers.js';
import { request } from '../wire/schema/request.js';
import { type KnownProcess, type ProcessReports } from './process-reports.js';

const MINUTE_MS = 60_000;

const minutes = described(
  byDefault(integer({ min: 1, max: KEPT_MINUTES }), KEPT_MINUTES),
  'So many of the last minutes, with the one that runs.',
  15,
);

export class StatisticsQuery extends request('StatisticsQuery', { minutes }) {}

export class StreamStatisticsQuery extends request('StreamStatisticsQuery', {
  minutes,
  follow: described(
    byDefault(boolean, true),
    'Whether the answer goes on as long as the client listens. `false` = it ends with the first message.',
  ),
}) {}

const whole = (what: string, example?: number) => described(Type.Integer({ minimum: 0 }), what, example);

const quantile = (what: string, example: number) =>
  described(nullable(Type.Number({ minimum: 0 })), `${what} null without any.`, example);

const requestFigures = (title: string, what: string) =>
  Type.Object(
    {
      requests: whole(`${what}, refusals and failures included.`, 42),
      failures: whole('Those of them that were answered with a status from 500.', 0),
      p50_ms: quantile(
        'Half of those that were granted took at most so long, in milliseconds, at most 5 % too much;',
        6.2,
      ),
      p99_ms: quantile('99 of 100 took at most so long;', 31.5),
    },
    { title },
  );

const figures = {
  adds: described(
    requestFigures('AddFigures', 'Requests that add messages, and calls of the tool add_memory'),
    'What was added.',
  ),
  searches: described(
    requestFigures(
      'SearchFigures',
      'Searches, recalls and contexts, and calls of the tools search_memory and get_context',
    ),
    'What was searched.',
  ),
  time_to_findable: described(
    Type.Object(
      {
        messages: whole('Messages that got their first vector.', 120),
        p50_ms: quantile('Half of them were at most so old then, in milliseconds;', 180),
        p99_ms: quantile('99 of 100 were at most so old;', 900),
      },
      {
        title: 'FindableFigures',
      },
    ),
    'From the moment in which a message was stored to its vector in the index. A search that comes earlier makes vectors of what waits, as far as its time allows.',
  ),
  models: described(
    Type.Object(
      {
        calls: whole('Calls of language models, embedders and rerankers.', 12),
        failures: whole('Those of them that failed, after all retries.', 0),
        input_tokens: whole('Tokens that were sent, as providers count them.', 10_400),
        output_tokens: whole('Tokens of replies.', 900),
      },
      { title: 'ModelFigures' },
    ),
    'What was asked of models.',
  ),
};

const processAnswer = Type.Object(
  {
    id: described(Type.String(), 'Another one each time the process starts.'),
    service: described(Type.String(), 'What it runs.', 'episodic-worker'),
    host: described(Type.String(), 'Where it runs.', 'episodic-worker-5c9f'),
    version: described(Type.String(), 'The version of Loci that it runs.', '0.1.0'),
    started_at: described(instantText, 'Since when it runs, by its own clock.'),
    last_heard_at: described(instantText, 'When it last said that it runs: each does every 5 seconds.'),
    state: Type.Enum(['running', 'silent'], {
      description:
        '`silent`: nothing was heard of it for 15 seconds, though it did not say that it stops. It is listed for 10 minutes.',
    }),
  },
  { title: 'ProcessStatistics' },
);

export const statisticsAnswer = Type.Object(
  {
    total: described(
      Type.Object(figures, { title: 'Statistics' }),
      'All these minutes together, of all processes together.',
    ),
    minutes: Type.Array(
      Type.Object(
        { minute: described(instantText, 'When the minute began.'), ...figures },
        { title: 'MinuteStatistics' },
      ),
      { description: 'Each minute, the oldest first; the last one still runs.' },
    ),
    processes: Type.Array(processAnswer, { description: 'What runs, by service, the eldest first.' }),
  },
  { title: 'StatisticsResponse' },
);
export type StatisticsAnswer = Static<typeof statisticsAnswer>;
type Figures = StatisticsAnswer['total'];

/** What the reports tell of the last minutes. */
export function statisticsOf(reports: ProcessReports, last: number, now = Date.now()): StatisticsAnswer {
  const current = Math.floor(now / MINUTE_MS);
  const asked = Array.from({ length: last }, (_, index) => current - last + 1 + index);
  const found = asked.map((minute) => ({ minute, of: reports.figuresOf(minute) }));
  return {
    total: figuresOf(found.flatMap(({ of }) => of)),
    minutes: found.map(({ minute, of }) => ({ minute: instantOf(minute * MINUTE_MS), ...figuresOf(of) })),
    processes: reports.processes(now).map(fromProcess),
  };
}

function figuresOf(given: readonly MinuteFigures[]): Figures {
  const sum = (what: CountedByMinute): number =>
    given.reduce((total, { counts }) => total + (counts[what] ?? 0), 0);
  const timed = (what: TimedByMinute) => {
    const counts = together(given.map(({ durations }) => durations[what] ?? []));
    return {
      number: counts.reduce((total, count) => total + count, 0),
      times: { p50_ms: rounded(quantileMs(counts, 0.5)), p99_ms: rounded(quantileMs(counts, 0.99)) },
    };
  };
  const findable = timed('findable');
  return {
    adds: { requests: sum('adds'), failures: sum('failed_adds'), ...timed('adds').times },
    searches: { requests: sum('searches'), failures: sum('failed_searches'), ...timed('searches').times },
    time_to_findable: { messages: findable.number, ...findable.times },
    models: {
      calls: sum('model_calls'),
      failures: sum('failed_model_calls'),
      input_tokens: sum('input_tokens'),
      output_tokens: sum('output_tokens'),
    },
  };
}

const rounded = (ms: number | undefined): number | null =>
  ms === undefined ? null : Number(ms.toPrecision(3));

const instantOf = (ms: number): string => new Date(ms).toISOString();

const fromProcess = ({ report, heardAt, isSilent }: KnownProcess): StatisticsAnswer['processes'][number] => ({
  id: report.id,
  service: report.service,
  host: report.host,
  version: report.version,
  started_at: instantOf(report.startedAt),
  last_heard_at: instantOf(heardAt),
  state: isSilent ? 'silent' : 'running',
});
