/**
 * What some work takes of the processor, in microseconds: what else the machine does takes none of it, as it would of the
 * clock.
 */
export async function processorMicros(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return process.cpuUsage(before).user;
}
