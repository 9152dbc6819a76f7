import { type MsgHdrs } from '@nats-io/transport-node';

/** Headers as they stand here, which the driver would not send itself. */
export const headersOf = (...lines: readonly string[]): MsgHdrs =>
  ({ encode: () => Buffer.from(['NATS/1.0', ...lines, '', ''].join('\r\n')) }) as unknown as MsgHdrs;
