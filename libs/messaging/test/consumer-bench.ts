import { event, type MessageType } from '@loci/contracts';
import { Metrics } from '@loci/platform';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { IsInt } from 'class-validator';
import { NatsLink } from '../src/connection/nats-link.js';
import { ConsumerRunner } from '../src/jetstream/consumer-runner.js';
import { type DeadLetter, DeadLetterSink } from '../src/jetstream/dead-letter-sink.js';
import { type ConsumerDeclaration, type StreamDeclaration } from '../src/jetstream/declarations.js';
import { MessagePublisher } from '../src/jetstream/message-publisher.js';
import { JetStreamTopology } from '../src/jetstream/jetstream-topology.js';
import {
  type SuspectMessage,
  type Suspicion,
  UnfinishedDeliveries,
} from '../src/jetstream/unfinished-deliveries.js';
import { eventually, RecordingLogger } from '@loci/testing';

export class Numbered {
  @IsInt()
  readonly n!: number;
}

/** Takes everything, unless it is told to be down. */
export class MemorySink extends DeadLetterSink {
  readonly letters: DeadLetter[] = [];
  failures = 0;

  override store(letter: DeadLetter): Promise<void> {
    if (this.failures > 0) {
      this.failures -= 1;
      return Promise.reject(new Error('the sink is down'));
    }
    this.letters.push(letter);
    return Promise.resolve();
  }
}

/** Remembers notes as a table does, as long as it lives. */
export class MemoryNotes extends UnfinishedDeliveries {
  readonly attempts = new Map<string, number>();
  /** Statements so far. */
  asked = 0;

  override begin(_consumer: string, messages: readonly SuspectMessage[]): Promise<readonly Suspicion[]> {
    this.asked += 1;
    return Promise.resolve(
      messages.map(({ id }) => {
        const isUnfinished = this.attempts.has(id);
        if (!isUnfinished) this.attempts.set(id, 1);
        return { id, isUnfinished, isSetAside: false };
      }),
    );
  }

  override beginAgain(_consumer: string, id: string): Promise<number> {
    this.asked += 1;
    const before = this.attempts.get(id) ?? 0;
    this.attempts.set(id, before + 1);
    return Promise.resolve(before);
  }

  override takeBack(_consumer: string, ids: readonly string[]): Promise<void> {
    this.asked += 1;
    for (const id of ids) this.attempts.delete(id);
    return Promise.resolve();
  }

  override setAside(): Promise<readonly string[]> {
    this.asked += 1;
    return Promise.resolve([]);
  }
}

/** A stream, a consumer and what works on them, all of one test file. */
export class ConsumerBench {
  readonly sink = new MemorySink();
  readonly notes = new MemoryNotes();
  readonly metrics = new Metrics('spec');
  readonly type: MessageType<Numbered>;
  readonly stream: StreamDeclaration;
  readonly consumer: ConsumerDeclaration;
  readonly topology: JetStreamTopology;
  readonly publisher: MessagePublisher;
  readonly runner: ConsumerRunner;

  private constructor(
    readonly link: NatsLink,
    readonly manager: JetStreamManager,
    readonly logger: RecordingLogger,
    name: string,
    ackWaitMs: number,
  ) {
    this.type = event('episodic', `${name}.added`, Numbered);
    this.stream = {
      name: name.toUpperCase().replaceAll('-', '_'),
      subjectPrefix: `evt.episodic.v1.${name}`,
      kind: 'events',
      maxBytes: 10_000_000,
    };
    const { stream, type } = this;
    this.consumer = {
      name: `${name}-consumer`,
      stream,
      subject: type.subject,
      ackWaitMs,
      maxAckPending: 1_000,
    };
    this.topology = new JetStreamTopology(link, logger, { streams: [stream], replicas: 1 });
    this.publisher = new MessagePublisher(link, this.topology);
    this.runner = new ConsumerRunner(link, this.topology, this.sink, this.notes, this.metrics, logger);
  }

  /** @param name lower case with dashes; the stream and consumer are named after it */
  static async open(url: string, name: string, ackWaitMs = 30_000): Promise<ConsumerBench> {
    const logger = new RecordingLogger();
    const link = await NatsLink.connect({ url, name }, logger);
    const manager = await jetstreamManager(link.connection, { checkAPI: false });
    return new ConsumerBench(link, manager, logger, name, ackWaitMs);
  }

  /** Publishes the numbers from `from` to `to`, both included. When it returns, the consumer has counted them. */
  async publish(from: number, to = from): Promise<void> {
    const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    await Promise.all(numbers.map((n) => this.publisher.publish(this.type, { n }, { id: `n${n}` })));
    await this.counted();
  }

  /** Publishes what is no number. When it returns, the consumer has counted it. */
  async publishText(body: string, id: string): Promise<void> {
    await this.publisher.send({ subject: this.type.subject, body, id });
    await this.counted();
  }

  /** The server confirms a message before its consumers count it as pending. */
  private async counted(): Promise<void> {
    const { name, stream } = this.consumer;
    const isCounted = async (): Promise<boolean> => {
      const { state } = await this.manager.streams.info(stream.name);
      const { delivered, num_pending } = await this.manager.consumers.info(stream.name, name);
      return delivered.stream_seq + num_pending >= state.last_seq;
    };
    await eventually(isCounted, { what: 'the consumer has counted every message' });
  }

  pending(): Promise<number> {
    return this.runner.pending(this.consumer);
  }

  async removeStream(): Promise<void> {
    await this.manager.streams.delete(this.stream.name).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.runner.beforeApplicationShutdown();
    await this.link.close();
  }
}
