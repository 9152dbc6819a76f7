import { parseArgs } from 'node:util';

/** One way to run the product: environment of its processes, and fields of every search. */
export interface Configuration {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
}

export interface Options {
  readonly dataset: 'locomo' | 'longmemeval';
  readonly split: string;
  /** Folder with the data file. */
  readonly data: string;
  readonly output: string;
  readonly configurations: readonly Configuration[];
  /** A running product to measure, and where its worker shows its metrics; otherwise one is started. */
  readonly running: { readonly url: string; readonly metricsUrl: string } | undefined;
}

export const USAGE = `npm run bench:retrieval -- --dataset locomo|longmemeval --split dev --data <folder> [options]

  --data <folder>      holds <dataset>-<split>.json; default: the environment's BENCH_DATA
  --compare "<k=v …>"  a further configuration, measured in the same run on the same episodes; may be repeated.
                       UPPER_CASE keys are environment of the product, others are fields of every search
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
      out: { type: 'string', default: 'bench/results' },
      base: { type: 'string', default: '' },
      compare: { type: 'string', multiple: true, default: [] },
      url: { type: 'string' },
      metrics: { type: 'string' },
    },
  });
  const { dataset, split, url, metrics } = values;
  const data = values.data ?? env['BENCH_DATA'];
  if (data === undefined || (dataset !== 'locomo' && dataset !== 'longmemeval')) throw new Error(USAGE);
  if ((url === undefined) !== (metrics === undefined)) throw new Error(USAGE);
  const configurations = [values.base, ...values.compare].map(configurationOf);
  const running = url === undefined || metrics === undefined ? undefined : { url, metricsUrl: metrics };
  if (running && configurations.some((configuration) => Object.keys(configuration.env).length > 0)) {
    throw new Error(
      'A running product cannot be given another environment: leave out --url, or these settings.',
    );
  }
  return { dataset, split, data, output: values.out, configurations, running };
}

function configurationOf(text: string): Configuration {
  const settings = text
    .split(/\s+/)
    .filter((setting) => setting !== '')
    .map((setting): [string, string] => {
      const [key = '', ...value] = setting.split('=');
      return [key, value.join('=')];
    });
  const isEnv = ([key]: [string, string]): boolean => /^[A-Z0-9_]+$/.test(key);
  return {
    name: text === '' ? 'as delivered' : text,
    env: Object.fromEntries(settings.filter(isEnv)),
    query: Object.fromEntries(
      settings.filter((setting) => !isEnv(setting)).map(([key, value]) => [key, valueOf(value)]),
    ),
  };
}

const valueOf = (text: string): unknown => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);
