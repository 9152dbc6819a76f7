// A process that consumes numbers, notes them in the table `notes`, and ends without warning at one of them. Environment:
// DATABASE_URL, NATS_URL, DEADLY (the number), CONSUMER and STREAM (declarations as JSON).
import 'reflect-metadata';
import { event } from '@loci/contracts';
import { ConsumerRunner, JetStreamTopology, NatsLink } from '@loci/messaging';
import { Database, DeadLetters, NotedDeliveries, UnitOfWork } from '@loci/persistence';
import { Metrics } from '@loci/platform';
import { IsInt } from 'class-validator';

const { DATABASE_URL: url, NATS_URL, DEADLY, CONSUMER, STREAM } = process.env;
const [stream, consumer] = [JSON.parse(STREAM), JSON.parse(CONSUMER)];
const logger = Object.fromEntries(
  ['debug', 'info', 'warn', 'error'].map((level) => [level, () => undefined]),
);

class Numbered {
  n;
}
IsInt()(Numbered.prototype, 'n');

const options = { url, schema: 'spec', entities: [], poolSize: 4 };
const metrics = new Metrics('spec');
const unitOfWork = new UnitOfWork(await Database.connect(options, logger));
const letters = new DeadLetters(options, unitOfWork, metrics);
const notes = new NotedDeliveries(options, unitOfWork, letters);
const link = await NatsLink.connect({ url: NATS_URL, name: 'deadly' }, logger);
const topology = new JetStreamTopology(link, logger, { streams: [stream], replicas: 1 });
const runner = new ConsumerRunner(link, topology, letters, notes, metrics, logger);
const type = { ...event('episodic', 'deadly.added', Numbered), subject: consumer.subject };

const note = (n) => `INSERT INTO spec.notes (id, text) VALUES (${Number(n)}, 'once')
  ON CONFLICT (id) DO UPDATE SET text = notes.text || ' more'`;

runner.run(
  { ...consumer, stream },
  type,
  async (messages) => {
    const numbers = messages.map(({ payload }) => payload.n);
    if (numbers.includes(Number(DEADLY))) process.kill(process.pid, 'SIGKILL');
    for (const n of numbers) await unitOfWork.execute({ text: note(n), row: {} });
  },
  { batchSize: 16 },
);
process.on('SIGTERM', () => {
  void runner.beforeApplicationShutdown().then(() => process.exit(0));
});
process.send?.('ready');
