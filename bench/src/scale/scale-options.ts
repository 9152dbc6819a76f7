import { parseArgs } from 'node:util';
import { type Scale, type ScaleOptions } from './scale.js';

export const USAGE = `npm run bench:scale -- [options]

  --scales <list>      episodes x projects, one measured after the other; default 10000x1000,100000x1000,1000000x1000
  --searched <n>       episodes of the project that is searched and added to, whatever the scale; default 1000
  --quantized <which>  no, yes or both; default both
  --dimensions <n>     of vectors, by a stand-in embedder; default: the embedder that comes with Loci, of 384
  --requests <n>       searches and adds that are timed; default 500
  --due <n>            sets that are due while claims are timed; default 100000, 0 for none
  --keep <folder>      data go there and stay, so that a later call measures them without filling; for one scale
  --fill-only          fills that folder and measures nothing
  --out <folder>       scale.json there has every scale that was ever measured, each as it was measured last;
                       default bench/results`;

export interface ScaleArguments extends ScaleOptions {
  readonly scales: readonly Scale[];
  readonly out: string;
  readonly keep: string | undefined;
  readonly isFilledOnly: boolean;
}

/** @throws Error with the usage when an option is unknown or no number */
export function readScaleOptions(args: readonly string[]): ScaleArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      scales: { type: 'string', default: '10000x1000,100000x1000,1000000x1000' },
      searched: { type: 'string', default: '1000' },
      quantized: { type: 'string', default: 'both' },
      dimensions: { type: 'string' },
      requests: { type: 'string', default: '500' },
      due: { type: 'string', default: '100000' },
      keep: { type: 'string' },
      'fill-only': { type: 'boolean', default: false },
      out: { type: 'string', default: 'bench/results' },
    },
  });
  const quantizations = QUANTIZATIONS[values.quantized];
  if (!quantizations) throw new Error(USAGE);
  const searched = wholeNumber(values.searched);
  const dimensions = values.dimensions === undefined ? undefined : wholeNumber(values.dimensions);
  const scales = values.scales.split(',').flatMap((text): Scale[] => {
    const [episodes, projects] = text.split('x').map(wholeNumber);
    if (episodes === undefined || projects === undefined) throw new Error(USAGE);
    const inSearched = projects === 1 ? episodes : Math.min(searched, episodes);
    return quantizations.map((quantized) => ({
      episodes,
      projects,
      searched: inSearched,
      quantized,
      dimensions,
    }));
  });
  const { keep, out, 'fill-only': isFilledOnly } = values;
  if (keep !== undefined && scales.length > 1) throw new Error(USAGE);
  if (isFilledOnly && keep === undefined) throw new Error(USAGE);
  const due = values.due === '0' ? 0 : wholeNumber(values.due);
  return { scales, requests: wholeNumber(values.requests), due, keep, isFilledOnly, out };
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
