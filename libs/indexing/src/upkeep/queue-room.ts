import { type ConsumerDeclaration, type ConsumerRunner } from '@loci/messaging';

/**
 * Messages that may wait for a consumer before no more are added that only repeat or put off work. What they name
 * has no vector yet, which its table knows: a longer queue would only be in front of whatever has to be repeated
 * next, of all organizations.
 */
const MOST_WAITING = 512;

/** How many such messages a consumer may be given now. @throws AppError `service_unavailable` */
export const roomIn = async (
  runner: Pick<ConsumerRunner, 'pending'>,
  consumer: ConsumerDeclaration,
): Promise<number> => Math.max(0, MOST_WAITING - (await runner.pending(consumer)));
