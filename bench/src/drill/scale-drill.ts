import { setTimeout as pause } from 'node:timers/promises';
import { eventually, FakeModels, Fleet } from '@loci/testing';
import { ALL_PROCESSES } from '../processes.js';
import { Agent, ORG } from './agent.js';
import { episodesOf, Tables } from './stored-state.js';
import { problemsIn } from './drill-problems.js';
import { type LiveTable } from './live-table.js';
import { type DrillOptions } from './options.js';
import { SideBySide } from './side-by-side.js';

const SERVERS = ['nats', 'qdrant', 'postgres'];

/** The processes that are killed, in this sequence, one replica of each. Those whose loss is felt most come first, for short runs. */
const VICTIMS = [
  'semantic-worker-1',
  'gateway-1',
  'nats',
  'episodic-api-1',
  'semantic-api-1',
  'qdrant',
  'episodic-worker-1',
  'config-service-1',
  'postgres',
  'semantic-worker-2',
  'gateway-2',
  'episodic-api-2',
];

/** A lease of a worker that was killed runs out after this. */
const LEASE_MS = 3_000;
/** When nothing has moved for so long, nothing will. */
const STUCK_MS = 120_000;

/** Everything of one run: the product, its stand-in models, the agents, and what looks at them. */
export class ScaleDrill {
  private readonly begunMs = performance.now();
  private readonly agents: Agent[];
  private isOver = false;

  private constructor(
    private readonly options: DrillOptions,
    private readonly fleet: Fleet,
    private readonly models: { readonly language: FakeModels; readonly embeddings: FakeModels },
    private readonly tables: Tables,
    private readonly table: LiveTable,
  ) {
    const { projectIds } = this;
    const shared = { url: () => fleet.url, projectIds, pauseMs: options.pauseMs, lastMs: STUCK_MS };
    this.agents = Array.from(
      { length: options.agents },
      (_, index) => new Agent({ ...shared, name: `a${index}` }),
    );
  }

  /** Does the whole drill. @returns what is wrong in the end; nothing when every promise was kept */
  static async run(options: DrillOptions, table: LiveTable): Promise<string[]> {
    const language = await FakeModels.start({ latencyMs: options.latencyMs });
    const embeddings = await FakeModels.start();
    try {
      table.event('starting the servers and every process; it takes a while');
      return await withFleet(options, (fleet, tables) =>
        new ScaleDrill(options, fleet, { language, embeddings }, tables, table).run(),
      );
    } finally {
      await Promise.all([language.close(), embeddings.close()]);
    }
  }

  private get projectIds(): string[] {
    return Array.from({ length: this.options.projects }, (_, index) => `p${index}`);
  }

  private async run(): Promise<string[]> {
    await this.configure();
    const watching = this.watch();
    try {
      await this.writeUnderFire();
      this.table.event('the agents have stopped; what waits is worked off');
      await this.workOff();
      return await this.check();
    } finally {
      this.isOver = true;
      await watching;
    }
  }

  /**
   * The agents do not wait until a victim is back; they use the processes that are left.
   * @throws Error when a victim does not come back, or what was begun is never acknowledged
   */
  private async writeUnderFire(): Promise<void> {
    const { seconds, kills } = this.options;
    const works = new SideBySide();
    for (const agent of this.agents) works.add(agent.run());
    const restMs = (seconds * 1_000) / (kills + 1);
    for (let kill = 0; kill < kills; kill += 1) {
      await pause(restMs);
      works.add(this.kill(VICTIMS[kill % VICTIMS.length] ?? ''));
    }
    await pause(restMs);
    for (const agent of this.agents) agent.stop();
    await works.end();
  }

  private async kill(wanted: string): Promise<void> {
    const { processes } = this.fleet.servers;
    const victim = wanted in processes ? wanted : wanted.replace(/\d+$/, '1');
    if (processes[victim]?.state !== 'ready') {
      this.table.event(`${victim} is not back yet, and is spared`);
      return;
    }
    this.table.event(`SIGKILL to ${victim}`);
    const begunMs = performance.now();
    await this.fleet.kill(victim);
    this.table.event(`${victim} is back after ${((performance.now() - begunMs) / 1_000).toFixed(1)} s`);
  }

  /** Everything acknowledged is ingested and has a vector, however long it takes, as long as it goes on. */
  private async workOff(): Promise<void> {
    const owed = this.acknowledged().length;
    let left = Infinity;
    let movedMs = performance.now();
    for (;;) {
      const backlog = await this.tables.backlog();
      const undone = backlog ? owed - backlog.ingested + backlog.unindexed : left;
      if (undone <= 0) return;
      if (undone < left) movedMs = performance.now();
      left = Math.min(left, undone);
      if (performance.now() - movedMs > STUCK_MS) return;
      await pause(this.options.intervalMs / 4);
    }
  }

  private async check(): Promise<string[]> {
    const pages = await Promise.all(this.projectIds.map((id) => episodesOf(this.fleet.url, id)));
    return problemsIn(this.acknowledged(), { episodes: pages.flat(), ...(await this.undoneIsGone()) });
  }

  /** The sets of producers and of the organization have no categories: their messages are done a moment later. */
  private async undoneIsGone(): ReturnType<Tables['ingestion']> {
    const isGone = async (): Promise<boolean> => (await this.tables.ingestion()).waiting === 0;
    await eventually(isGone, { what: 'nothing waits', timeoutMs: STUCK_MS / 4 }).catch(() => undefined);
    return this.tables.ingestion();
  }

  private acknowledged() {
    return this.agents.flatMap(({ acknowledged }) => acknowledged);
  }

  private async watch(): Promise<void> {
    while (!this.isOver) {
      const backlog = await this.tables.backlog();
      const processes = Object.values(this.fleet.servers.processes);
      const ready = processes.filter(({ state }) => state === 'ready').length;
      this.table.show({
        seconds: (performance.now() - this.begunMs) / 1_000,
        acknowledged: this.acknowledged().length,
        retries: this.agents.reduce((sum, { retries }) => sum + retries, 0),
        backlog,
        modelCalls: this.models.language.calls('/chat/completions').length,
        ready: `${ready}/${this.fleet.names.length + SERVERS.length}`,
      });
      await pause(this.options.intervalMs);
    }
  }

  private async configure(): Promise<void> {
    const { language, embeddings } = this.models;
    const provider = ({ openAiUrl }: FakeModels): object => ({
      base_url: openAiUrl,
      api_key: 'any',
      model: 'fake',
    });
    await this.send('POST', '/config/resources/language_models', {
      name: 'thinker',
      provider: 'openai-chat-completions',
      config: provider(language),
    });
    await this.send('POST', '/config/resources/embedders', {
      name: 'quick',
      provider: 'openai',
      config: provider(embeddings),
    });
    await this.send('PUT', '/config/memory/episodic/long_term', { embedder: 'quick' });
    await this.send('PUT', '/config/memory/semantic', {
      llm_model: 'thinker',
      embedding_model: 'quick',
      ingestion_trigger_messages: 5,
      ingestion_trigger_age_seconds: 1,
    });
    for (const id of this.projectIds) await this.send('POST', '/projects', { org_id: ORG, project_id: id });
  }

  private async send(method: string, path: string, body: object): Promise<void> {
    const answer = await fetch(`${this.fleet.url}/api/v2${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  }
}

async function withFleet<T>(
  { workers }: DrillOptions,
  work: (fleet: Fleet, tables: Tables) => Promise<T>,
): Promise<T> {
  const fleet = await Fleet.start({
    table: ALL_PROCESSES,
    replicas: ({ name }) => (name === 'semantic-worker' ? workers : 2),
    env: { INGESTION_LEASE_MS: String(LEASE_MS), INGESTION_RETRY_PAUSE_MS: '100' },
  });
  const tables = new Tables(fleet.servers.databaseUrl);
  try {
    return await work(fleet, tables);
  } finally {
    await tables.close().finally(() => fleet.destroy());
  }
}
