import autocannon from 'autocannon';

export interface Target {
  /** As the report names it. */
  readonly name: string;
  readonly url: string;
  /** Of each request. */
  readonly body: () => object;
}

export interface Measurement {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** How many were answered. */
  readonly requests: number;
}

/** Fires requests over and over from `clients` connections. @throws Error when any answer is not a success */
export async function fire(
  { name, url, body }: Target,
  clients: number,
  seconds: number,
): Promise<Measurement> {
  const result = await autocannon({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    requests: [{ setupRequest: (request) => ({ ...request, body: JSON.stringify(body()) }) }],
    connections: clients,
    duration: seconds,
  });
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0) {
    const statuses = JSON.stringify(result.statusCodeStats);
    throw new Error(
      `${name}: under ${clients} clients ${result.errors} requests failed, ${result.timeouts} timed out, and these were answered: ${statuses}`,
    );
  }
  return {
    requests: result.requests.total,
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  };
}

export interface Rounds {
  readonly clients: number;
  readonly seconds: number;
  readonly rounds: number;
  /** Waits for the work that a round left behind, so that it does not slow the next one down. */
  readonly settle: () => Promise<void>;
}

/**
 * Measures targets against each other: every round visits each target once, so that what else the machine does hits
 * all alike. @returns for each target the round with the median throughput
 */
export async function compare(
  targets: readonly Target[],
  { clients, seconds, rounds, settle }: Rounds,
): Promise<Measurement[]> {
  const measured = targets.map((): Measurement[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, target] of targets.entries()) {
      measured[index]?.push(await fire(target, clients, seconds));
    }
    await settle();
  }
  return measured.map(median);
}

function median(measurements: readonly Measurement[]): Measurement {
  const sorted = [...measurements].sort((a, b) => a.requestsPerSecond - b.requestsPerSecond);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (!middle) throw new Error('nothing was measured');
  return middle;
}
