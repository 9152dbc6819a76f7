import { type components } from '../api.generated.js';
import { type CallOptions, sentWith } from '../call-options.js';
import { answered, type LociClient } from '../loci-client.js';
import { streamMessages } from '../transport/stream-messages.js';

/** What a deployment did of late, and which processes run. */
export type Statistics = components['schemas']['StatisticsResponse'];

export interface StatisticsOptions extends CallOptions {
  /** So many of the last minutes, with the one that runs. Default 60, which is all that there are. */
  readonly minutes?: number;
}

const asked = ({ minutes, signal }: StatisticsOptions) => ({
  params: { query: { ...(minutes !== undefined && { minutes }) } },
  ...sentWith({ ...(signal && { signal }) }),
});

/** @throws LociError `forbidden` for a key that is bound to an organization */
export const statistics = (api: LociClient, options: StatisticsOptions = {}): Promise<Statistics> =>
  answered(api.GET('/api/v2/statistics', asked(options)));

/** The statistics every few seconds; connects again when the connection breaks. @throws LociError as `events` */
export async function* followStatistics(
  api: LociClient,
  options: StatisticsOptions = {},
): AsyncGenerator<Statistics, void> {
  const { signal = new AbortController().signal } = options;
  const open = (): Promise<ReadableStream<Uint8Array> | null | undefined> =>
    answered(api.GET('/api/v2/statistics/stream', { ...asked(options), parseAs: 'stream' }));
  for await (const { data } of streamMessages(open, { follow: true, signal })) {
    yield JSON.parse(data) as Statistics;
  }
}
