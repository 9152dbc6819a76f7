import { isDeepStrictEqual } from 'node:util';
import { toAppError } from '@loci/contracts';
import { type Logger } from '@loci/platform';
import { type ConsumerInfo, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { type NatsLink } from '../connection/nats-link.js';
import {
  type ConsumerDeclaration,
  consumerConfig,
  type StreamDeclaration,
  streamConfig,
} from './declarations.js';
import { isMissing } from './jetstream-errors.js';

export interface TopologyOptions {
  readonly streams: readonly StreamDeclaration[];
  /** Copies that the cluster keeps of each stream. */
  readonly replicas: number;
  /** Another process makes and updates everything (`StreamMaker`), and this one waits for it. By default it does so itself. */
  readonly findsStreams?: boolean | undefined;
}

/** Creates and updates the streams and consumers of the server so that they are as declared. May be repeated at any time. */
export class JetStreamTopology {
  private readonly underway = new Map<string, Promise<unknown>>();
  private readonly awaited = new Set<string>();
  private madeCount = 0;

  constructor(
    private readonly link: NatsLink,
    private readonly logger: Logger,
    private readonly options: TopologyOptions,
  ) {}

  /**
   * Creates streams that are missing and updates, in place, those that are declared otherwise by now.
   * @throws what the server or the connection says
   */
  async ensureStreams(streams: readonly StreamDeclaration[]): Promise<void> {
    for (const stream of streams) await this.ensureStream(stream);
  }

  /** The stream that keeps messages of this subject; one that belongs to no declared stream is a mistake of ours. */
  async ensureStreamOf(subject: string): Promise<void> {
    const stream = this.options.streams.find(({ subjectPrefix }) => subject.startsWith(`${subjectPrefix}.`));
    if (!stream) throw toAppError(new Error(`No stream is declared for the subject ${subject}.`));
    await this.ensureStream(stream);
  }

  /** How many streams and consumers were missing, and are there since. */
  get made(): number {
    return this.madeCount;
  }

  /** Whether all consumers that this process runs were found, each of them once. */
  get isComplete(): boolean {
    return this.awaited.size === 0;
  }

  /** This process is not complete until the consumer is found. */
  expect({ name }: ConsumerDeclaration): void {
    this.awaited.add(name);
  }

  /** The consumer, and its stream before it. @throws Error while another process has not made it yet */
  async ensureConsumer(consumer: ConsumerDeclaration): Promise<ConsumerInfo> {
    const info = await (this.options.findsStreams ? this.find(consumer) : this.make(consumer));
    this.awaited.delete(consumer.name);
    return info;
  }

  /**
   * Deletes every consumer of a stream that pushes: what it delivers goes wherever its maker wanted, and all of ours are read
   * from. The declared one of that name is made again by `ensureConsumer`.
   */
  async removePushing({ name: stream }: StreamDeclaration): Promise<void> {
    const { consumers } = await this.manager();
    const pushing = async (): Promise<string[]> => {
      const names: string[] = [];
      for await (const { name, config } of consumers.list(stream))
        if (config.deliver_subject !== undefined) names.push(name);
      return names;
    };
    for (const consumer of await pushing()) {
      // another replica may have made it again meanwhile, as it is to be
      if (!(await pushing()).includes(consumer)) continue;
      this.logger.warn('deleting a consumer that pushes', { consumer, stream });
      await this.link.whileConnected(() => consumers.delete(stream, consumer)).catch(unlessMissing);
    }
  }

  /** @returns undefined when there is no such consumer, or no such stream */
  async consumerInfo({ name, stream }: ConsumerDeclaration): Promise<ConsumerInfo | undefined> {
    const { consumers } = await this.manager();
    return this.link.whileConnected(() => consumers.info(stream.name, name)).catch(unlessMissing);
  }

  private async find(consumer: ConsumerDeclaration): Promise<ConsumerInfo> {
    const found = await this.consumerInfo(consumer);
    if (found?.config.filter_subject === consumer.subject) return found;
    throw new Error(
      `The consumer ${consumer.name} of the stream ${consumer.stream.name} is not there yet: the process \`streams\` makes it.`,
    );
  }

  private make(consumer: ConsumerDeclaration): Promise<ConsumerInfo> {
    return this.once(`${consumer.stream.name}/${consumer.name}`, async () => {
      const { consumers } = await this.manager();
      const declared = consumerConfig(consumer);
      const found = await this.consumerInfo(consumer);
      if (!found) {
        await this.ensureStream(consumer.stream);
        this.logger.info('creating consumer', { consumer: consumer.name, stream: consumer.stream.name });
        const made = await consumers.add(consumer.stream.name, declared);
        this.madeCount += 1;
        return made;
      }
      if (isAsDeclared(found.config, declared)) return found;
      this.logger.info('updating consumer', { consumer: consumer.name, stream: consumer.stream.name });
      return consumers.update(consumer.stream.name, consumer.name, declared);
    });
  }

  private async ensureStream(stream: StreamDeclaration): Promise<void> {
    if (this.options.findsStreams) return;
    await this.once(stream.name, async () => {
      const { streams } = await this.manager();
      const declared = streamConfig(stream, this.options.replicas);
      const found = await this.link.whileConnected(() => streams.info(stream.name)).catch(unlessMissing);
      if (!found) {
        this.logger.info('creating stream', { stream: stream.name });
        await streams.add(declared);
        this.madeCount += 1;
      } else if (!isAsDeclared(found.config, declared)) {
        this.logger.info('updating stream', { stream: stream.name });
        await streams.update(stream.name, declared);
      }
    });
  }

  /** Many callers notice at the same moment that something is missing; the work is done once for all of them. */
  private once<T>(name: string, work: () => Promise<T>): Promise<T> {
    const running = this.underway.get(name) as Promise<T> | undefined;
    if (running) return running;
    const started = work().finally(() => this.underway.delete(name));
    this.underway.set(name, started);
    return started;
  }

  private manager(): Promise<JetStreamManager> {
    return jetstreamManager(this.link.connection, { checkAPI: false });
  }
}

const isAsDeclared = (actual: object, declared: object): boolean =>
  Object.entries(declared).every(([field, value]) => isDeepStrictEqual(Reflect.get(actual, field), value));

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
