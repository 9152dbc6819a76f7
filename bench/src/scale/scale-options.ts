import { parseArgs } from 'node:util';
import { type Scale, type ScaleOptions } from './scale-run.js';

export const USAGE = `npm run bench:scale -- [options]

  --scales <list>      episodes x projects, one measured after the other; default 10000x1000,100000x1000,1000000x1000
  --searched <n>       episodes of the project that is searched and added to, whatever the scale; default 1000
  --quantized <which>  no, yes or both; default both
  --requests <n>       searches and adds that are timed; default 500
  --out <folder>       scale.json there has every scale that was ever measured, each as it was measured last;
                       default bench/results`;

/** @throws Error with the usage when an option is unknown or no number */
export function readScaleOptions(
  args: readonly string[],
): ScaleOptions & { readonly scales: readonly Scale[]; readonly out: string } {
  const { values } = parseArgs({
    args: [...args],
    options: {
      scales: { type: 'string', default: '10000x1000,100000x1000,1000000x1000' },
      searched: { type: 'string', default: '1000' },
      quantized: { type: 'string', default: 'both' },
      requests: { type: 'string', default: '500' },
      out: { type: 'string', default: 'bench/results' },
    },
  });
  const quantizations = QUANTIZATIONS[values.quantized];
  if (!quantizations) throw new Error(USAGE);
  const searched = wholeNumber(values.searched);
  const scales = values.scales.split(',').flatMap((text): Scale[] => {
    const [episodes, projects] = text.split('x').map(wholeNumber);
    if (episodes === undefined || projects === undefined) throw new Error(USAGE);
    const inSearched = projects === 1 ? episodes : Math.min(searched, episodes);
    return quantizations.map((quantized) => ({ episodes, projects, searched: inSearched, quantized }));
  });
  return { scales, requests: wholeNumber(values.requests), out: values.out };
}

const QUANTIZATIONS: Readonly<Record<string, readonly boolean[]>> = {
  no: [false],
  yes: [true],
  both: [false, true],
};

function wholeNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(USAGE);
  return Number(text);
}
