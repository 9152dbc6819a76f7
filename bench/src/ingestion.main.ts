import 'reflect-metadata';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type IngestionResult, measureIngestion } from './ingestion/ingestion-run.js';

/**
 * `npm run bench:ingestion [-- --workers 1,2,4,8 --sets 200 --messages 20 --latency 300 --seconds 60]`: how ingestion
 * scales with worker processes. Each works on one set at a time, so that what it waits for is the model, a stand-in that
 * takes `latency` ms for every call. Of a backlog that takes longer than `seconds` the first part is measured: with
 * `--sets 10000 --messages 5` many sets, with `--sets 1 --messages 100000` one that has very much to learn.
 */
const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,2,4,8' },
    sets: { type: 'string', default: '200' },
    messages: { type: 'string', default: '20' },
    latency: { type: 'string', default: '300' },
    seconds: { type: 'string', default: '60' },
  },
});
const load = {
  sets: Number(values.sets),
  messages: Number(values.messages),
  latencyMs: Number(values.latency),
  longestMs: Number(values.seconds) * 1000,
};

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** From here on the processors are what is waited for, at least a part of the time. */
const BUSY = 0.9;

interface Step extends IngestionResult {
  readonly workers: number;
}

/** The share of the time in which all workers waited for the model: the rest was ours, or the machine's. */
const shareOfModel = ({ workers, seconds, calls }: Step): number =>
  (calls * load.latencyMs) / 1000 / workers / seconds;

/** Of all processes of Loci and its servers; the stand-in runs in this one, and is not counted. */
const processorMs = ({ processors }: Step): number =>
  [...(processors?.byKind.values() ?? [])].reduce((sum, ms) => sum + ms, 0);

function limitOf(step: Step): string {
  const { processors } = step;
  if (processors && processors.machine >= BUSY) return `processors (${percent(processors.machine)} busy)`;
  const machine = processors ? `processors ${percent(processors.machine)} busy` : 'processors unknown';
  return shareOfModel(step) >= BUSY
    ? `the model (${machine})`
    : `latency of ours and the model's (${machine})`;
}

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;

const row = (cells: readonly string[]): void => say(`| ${cells.join(' | ')} |`);

const steps: Step[] = [];
const columns = [
  ...['workers', 'seconds', 'calls per second', 'messages per second', '÷ first'],
  ...['waiting for the model', 'processor ms per call', 'limit'],
];
say(`${load.sets} sets of ${load.messages} messages\n`);
row(columns);
row(columns.map(() => '---'));
for (const workers of values.workers.split(',').map(Number)) {
  const step = { workers, ...(await measureIngestion(workers, load)) };
  steps.push(step);
  const { seconds, calls, processors } = step;
  const rate = calls / seconds;
  const [first = step] = steps;
  const gain = (rate / (first.calls / first.seconds)).toFixed(2);
  row([
    ...[String(workers), seconds.toFixed(1), rate.toFixed(1), (step.messages / seconds).toFixed(0), gain],
    ...[percent(shareOfModel(step))],
    ...[processors ? (processorMs(step) / calls).toFixed(0) : '?', limitOf(step)],
  ]);
}
say(
  `\nProcessors: ${availableParallelism()}, busy with whatever runs on this machine. By kind of process, in ms per call:`,
);
for (const { workers, processors, calls } of steps) {
  const kinds = [...(processors?.byKind ?? [])].sort(([, a], [, b]) => b - a);
  const used = kinds.map(([kind, ms]) => `${kind} ${(ms / calls).toFixed(1)}`);
  say(`${workers} workers: ${used.join(', ') || 'unknown on this system'}`);
}
