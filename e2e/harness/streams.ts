import {
  type ConsumerAPI,
  type JetStreamManager,
  jetstreamManager,
  type StreamAPI,
} from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { eventually, type Loci, natsLogin, type NatsLogin } from '@loci/testing';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type OwnServers } from './own-server.js';

const LONG_MS = 10 * 60 * 1000;

/** Takes the streams away from NATS while it runs, as a lost disk would. */
export async function wipeStreams(loci: Loci): Promise<void> {
  await rm(join(loci.dataDir, 'nats'), { recursive: true, force: true, maxRetries: 5 });
  await loci.kill('nats');
}

/**
 * Does what `cause` does, and loses the message about it: it is in its stream, but never reaches the consumer.
 * @param consumer whose message it is
 */
export async function loseMessageOf(
  loci: Loci,
  consumer:
    | 'config-service-audit'
    | 'episodic-worker-index'
    | 'episodic-worker-purge'
    | 'semantic-worker-intake'
    | 'semantic-worker-forget',
  cause: () => Promise<unknown>,
): Promise<void> {
  await withJetStream(natsLogin(await loci.natsUrlOf('operator')), async ({ consumers, streams }) => {
    const stream = await pause(consumers, streams, consumer);
    await cause();
    await eventually(async () => (await consumers.info(stream, consumer)).num_pending > 0, {
      what: 'the message is in its stream',
    });
  });
  await wipeStreams(loci);
}

/** Keeps a consumer from its messages for longer than any test takes. */
export const pauseConsumer = ({ nats, tls }: OwnServers, consumer: string): Promise<void> =>
  withJetStream(natsLogin(nats.servers.natsUrl, tls.authority), async ({ consumers, streams }) => {
    await pause(consumers, streams, consumer);
  });

async function withJetStream(
  login: NatsLogin,
  work: (manager: JetStreamManager) => Promise<void>,
): Promise<void> {
  const nats = await connect({ ...login, reconnect: false });
  try {
    await work(await jetstreamManager(nats));
  } finally {
    await nats.close();
  }
}

/** @returns the name of its stream */
async function pause(consumers: ConsumerAPI, streams: StreamAPI, consumer: string): Promise<string> {
  const stream = await streamOf(streams, consumers, consumer);
  await consumers.pause(stream, consumer, new Date(Date.now() + LONG_MS));
  return stream;
}

async function streamOf(streams: StreamAPI, consumers: ConsumerAPI, consumer: string): Promise<string> {
  for await (const { config } of streams.list()) {
    for await (const { name } of consumers.list(config.name)) {
      if (name === consumer) return config.name;
    }
  }
  throw new Error(`No stream has the consumer ${consumer}.`);
}
