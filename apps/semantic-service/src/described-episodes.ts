import {
  isTooLarge,
  type DescribedEpisode,
  describeEpisodes,
  type DescribeEpisodesRequest,
} from '@loci/contracts';
import { type RpcClient } from '@loci/messaging';
import { inParts } from '@loci/platform';

/** Without their texts so many mostly fit into one answer. */
const AT_ONCE = 100;

/**
 * Those of the episodes that exist, part by part, in no particular order. What is more than one answer holds comes in several:
 * metadata of a few messages can be. Keep no more of a part than is needed; all of them together have no bound.
 */
export async function* describeInParts(
  rpc: RpcClient,
  request: DescribeEpisodesRequest,
): AsyncGenerator<readonly DescribedEpisode[], void, undefined> {
  for (const uids of inParts(request.uids, AT_ONCE)) yield* halved(rpc, { ...request, uids });
}

async function* halved(
  rpc: RpcClient,
  request: DescribeEpisodesRequest,
): AsyncGenerator<readonly DescribedEpisode[], void, undefined> {
  const found = await describeOrHalve(rpc, request);
  if (found) {
    yield found;
    return;
  }
  const half = Math.ceil(request.uids.length / 2);
  yield* halved(rpc, { ...request, uids: request.uids.slice(0, half) });
  yield* halved(rpc, { ...request, uids: request.uids.slice(half) });
}

/** @returns undefined when several are more than one answer holds */
async function describeOrHalve(
  rpc: RpcClient,
  request: DescribeEpisodesRequest,
): Promise<readonly DescribedEpisode[] | undefined> {
  try {
    return (await rpc.call(describeEpisodes, request)).episodes;
  } catch (error) {
    if (isTooLarge(error) && request.uids.length > 1) return undefined;
    throw error;
  }
}
