import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type IngestionResult, measureIngestion } from './ingestion/ingestion-run.js';

/**
 * `npm run bench:ingestion [-- --workers 1,2,4,8 --sets 200 --messages 20 --latency 300]`: how ingestion scales with
 * worker processes. Each works on one set at a time, so that what it waits for is the model, a stand-in that takes
 * `latency` ms for every call.
 */
const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,2,4,8' },
    sets: { type: 'string', default: '200' },
    messages: { type: 'string', default: '20' },
    latency: { type: 'string', default: '300' },
  },
});
const load = {
  sets: Number(values.sets),
  messages: Number(values.messages),
  latencyMs: Number(values.latency),
};

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** The share of the time in which all workers waited for the model: the rest was ours, or the machine's. */
const shareOfModel = ({ workers, seconds, calls }: IngestionResult): number =>
  (calls * load.latencyMs) / 1000 / workers / seconds;

const results: IngestionResult[] = [];
for (const workers of values.workers.split(',').map(Number)) {
  say(`ingesting ${load.sets} sets of ${load.messages} messages with ${workers} workers ...`);
  results.push(await measureIngestion(workers, load));
}
const [base] = results;
say(
  '\n| workers | seconds | sets per second | messages per second | ÷ first | model calls | waiting for the model |',
);
say('| --- | --- | --- | --- | --- | --- | --- |');
for (const result of results) {
  const { workers, seconds, calls } = result;
  const rate = load.sets / seconds;
  const cells = [
    String(workers),
    seconds.toFixed(1),
    rate.toFixed(1),
    (rate * load.messages).toFixed(0),
    ((base?.seconds ?? seconds) / seconds).toFixed(2),
    String(calls),
    `${(shareOfModel(result) * 100).toFixed(0)} %`,
  ];
  say(`| ${cells.join(' | ')} |`);
}
say(
  `\nWhat is missing to 100 % in the last column was spent by Loci, by PostgreSQL, NATS and the stand-in on ${availableParallelism()} cores.`,
);
