import { clientEvent, type NotificationPage, type RecordedNotification } from '@loci/contracts';

/** How long a client waits before it connects again. */
const RECONNECT_MS = 1_000;

/** Keeps the connection open through proxies, and shows either side that the other is gone. */
export const HEARTBEAT = ':\n\n';

/** The first frame: a client that is cut off before its first event knows where to go on. */
export const opening = (page: NotificationPage, after: number | undefined): string =>
  `retry: ${RECONNECT_MS}\n${at(startOf(page, after))}`;

/** Moves a client on, past what it does not want. */
const at = (position: number): string => frame(position, 'stream.position', {});

/** Says that events before this point are not kept any more: whatever was derived from events is in doubt. */
const reset = (position: number): string => frame(position, 'stream.reset', { type: 'stream.reset' });

/** Where a client is before the events of a page: one that is cut off there is sent all of them again. */
const startOf = ({ notifications, position }: NotificationPage, after: number | undefined): number =>
  notifications.length > 0 ? (after ?? 0) : position;

/**
 * A page as frames of the stream.
 * @param after the position behind which it was read
 * @param isWanted of those that are not, only the position of the last one is told
 */
export function framesOf(
  page: NotificationPage,
  after: number | undefined,
  isWanted: (notification: RecordedNotification) => boolean,
): string {
  const { notifications, isGap, position } = page;
  const wanted = notifications.filter(isWanted);
  const frames = wanted.map((one) => frame(one.position, one.type, clientEvent(one))).join('');
  const last = notifications.at(-1);
  const isTold = last ? isWanted(last) : after === undefined || after === position;
  const skipped = isTold ? '' : at(position);
  return (isGap ? reset(startOf(page, after)) : '') + frames + skipped;
}

const frame = (position: number, event: string, data: object): string =>
  `id: ${position}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
