import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ASSISTANT } from './assistant.js';
import { type Layout, LAYOUTS } from './layout.js';

/** The embedder that every Loci has. */
export const BUILT_IN_EMBEDDER = 'local';

/** One way to run the product: environment of its processes, the embedder, and fields of every search. */
export interface Configuration {
  readonly name: string;
  /** `local`, or the name of another model that runs inside the product. */
  readonly embedder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
}

const DATASETS = ['locomo', 'longmemeval', 'assistant'] as const;

export interface Options {
  readonly dataset: (typeof DATASETS)[number];
  readonly split: string;
  /** Path of the data file; of `assistant`, which is a part of this project, of its folder. */
  readonly file: string;
  readonly output: string;
  readonly layout: Layout;
  readonly configurations: readonly Configuration[];
  /** A running product to measure, and where its worker shows its metrics; otherwise one is started. */
  readonly running: { readonly url: string; readonly metricsUrl: string } | undefined;
}

export const USAGE = `npm run bench:retrieval -- --dataset locomo|longmemeval|assistant --split dev --data <folder> [options]

  --data <folder>      contains <dataset>-<split>.json; default: the environment's BENCH_DATA; assistant needs none
  --file <path>        the data file itself, such as longmemeval_s.json; the split then only names the results
  --layout <name>      alone: each conversation is a project (default); interleaved: all are one project, told apart by
                       their metadata; aligned: alone, with the times of interleaved, to compare with
  --compare "<k=v …>"  a further configuration, measured in the same run on the same episodes; may be repeated.
                       UPPER_CASE keys are environment of the product, "embedder" is local or gte-small,
                       others are fields of every search
  --base "<k=v …>"     the first configuration, if not the product as delivered
  --out <folder>       for the results; default bench/results
  --url, --metrics     a running product, and its episodic worker's /metrics; default: starts one`;

/** @throws Error with the usage when an option is missing or unknown */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      dataset: { type: 'string', default: 'locomo' },
      split: { type: 'string', default: 'dev' },
      data: { type: 'string' },
      file: { type: 'string' },
      layout: { type: 'string', default: 'alone' },
      out: { type: 'string', default: 'bench/results' },
      base: { type: 'string', default: '' },
      compare: { type: 'string', multiple: true, default: [] },
      url: { type: 'string' },
      metrics: { type: 'string' },
    },
  });
  const { split, url, metrics } = values;
  const dataset = DATASETS.find((one) => one === values.dataset);
  const folder = values.data ?? env['BENCH_DATA'];
  const delivered = dataset === 'assistant' ? ASSISTANT : folder && join(folder, `${dataset}-${split}.json`);
  const file = values.file ?? delivered;
  if (file === undefined || dataset === undefined) throw new Error(USAGE);
  const layout = LAYOUTS.find((one) => one === values.layout);
  if (layout === undefined) throw new Error(USAGE);
  if ((url === undefined) !== (metrics === undefined)) throw new Error(USAGE);
  const configurations = [values.base, ...values.compare].map(configurationOf);
  const running = url === undefined || metrics === undefined ? undefined : { url, metricsUrl: metrics };
  if (running && configurations.some((configuration) => Object.keys(configuration.env).length > 0)) {
    throw new Error(
      'A running product cannot be given another environment: leave out --url, or these settings.',
    );
  }
  return { dataset, split, file, output: values.out, layout, configurations, running };
}

function configurationOf(text: string): Configuration {
  const settings = text
    .split(/\s+/)
    .filter((setting) => setting !== '')
    .map((setting): [string, string] => {
      const [key = '', ...value] = setting.split('=');
      return [key, value.join('=')];
    });
  const { embedder = BUILT_IN_EMBEDDER, ...others } = Object.fromEntries(settings);
  const isEnv = ([key]: [string, string]): boolean => /^[A-Z0-9_]+$/.test(key);
  const isField = (setting: [string, string]): boolean => !isEnv(setting);
  return {
    name: text === '' ? 'as delivered' : text,
    embedder,
    env: Object.fromEntries(Object.entries(others).filter(isEnv)),
    query: Object.fromEntries(
      Object.entries(others)
        .filter(isField)
        .map(([key, value]) => [key, valueOf(value)]),
    ),
  };
}

const valueOf = (text: string): unknown => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);
