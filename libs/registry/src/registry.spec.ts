import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type MemoryConfiguration,
  type RegistrySnapshot,
  type Resource,
  type ResourceReport,
  unavailable,
} from '@loci/contracts';
import { type CircuitOpened, type LanguageModel, type Reranker } from '@loci/models';
import { RequestContext } from '@loci/platform';
import { eventually, RecordingLogger } from '@loci/testing';
import { type ModelMaker } from './live-models.js';
import { Registry } from './registry.js';
import { type RegistrySource } from './registry-source.js';

const memory = (trigger: number): MemoryConfiguration => ({
  episodic: {
    enabled: true,
    longTerm: {
      enabled: true,
      backend: 'event',
      embedder: 'local',
      reranker: '',
      propertiesSchema: {},
      vectorGraphStore: '',
      vectorStore: '',
      segmentStore: '',
    },
    shortTerm: { enabled: true, messageCapacity: 1 },
  },
  semantic: {
    enabled: true,
    embeddingModel: 'local',
    ingestionTriggerMessages: trigger,
    ingestionTriggerAgeSeconds: 1,
  },
});

const llm = (name: string, changes: Partial<Resource> = {}): Resource => ({
  kind: 'language_model',
  name,
  provider: 'openai-responses',
  config: {},
  revision: 1,
  status: 'ready',
  ...changes,
});

/** Stands for config-service. */
class FakeSource implements RegistrySource {
  isDown = false;
  snapshots = 0;
  readonly reports: ResourceReport[] = [];
  state: RegistrySnapshot = { revision: 1, resources: [], memory: memory(5) };
  hint: () => void = () => undefined;

  change(changes: Partial<RegistrySnapshot>): void {
    this.state = { ...this.state, ...changes, revision: this.state.revision + 1 };
  }

  snapshot(): Promise<RegistrySnapshot> {
    this.snapshots += 1;
    return this.answer(this.state);
  }

  revision(): Promise<number> {
    return this.answer(this.state.revision);
  }

  report(report: ResourceReport): Promise<void> {
    this.reports.push(report);
    return Promise.resolve();
  }

  onHint(listener: () => void): () => void {
    this.hint = listener;
    return () => undefined;
  }

  private answer<T>(value: T): Promise<T> {
    return this.isDown ? Promise.reject(unavailable('service_unavailable', 'Down.')) : Promise.resolve(value);
  }
}

let source: FakeSource;
let registry: Registry;
let circuitOpens: (opened: CircuitOpened) => void;
let maker: { built: string[]; builtFor: (string | undefined)[]; failing: boolean };

const factory = (): ModelMaker => {
  const build = <Model>({ name }: { name: string }): Promise<Model> => {
    maker.built.push(name);
    maker.builtFor.push(RequestContext.current()?.requestId);
    if (maker.failing) return Promise.reject(unavailable('language_model_unavailable', 'MY_KEY is not set.'));
    return Promise.resolve({ name, close: () => Promise.resolve() } as Model);
  };
  return {
    languageModel: (definition) => build<LanguageModel>(definition),
    embedder: (definition) => build(definition),
    reranker: (definition) => build<Reranker>(definition),
  };
};

beforeEach(() => {
  source = new FakeSource();
  maker = { built: [], builtFor: [], failing: false };
});

afterEach(() => registry.stop());

const start = async (checkIntervalMs = 60_000): Promise<void> => {
  registry = new Registry({
    source,
    logger: new RecordingLogger(),
    createFactory: (onCircuitOpen) => {
      circuitOpens = onCircuitOpen;
      return factory();
    },
    checkIntervalMs,
    startPatienceMs: 50,
  });
  await registry.start();
};

const triggerNow = (): number => registry.memory.semantic.ingestionTriggerMessages;

describe('the state', () => {
  test('is known once the registry has started, and follows a hint at once', async () => {
    await start();
    expect(triggerNow()).toBe(5);
    source.change({ memory: memory(9) });
    source.hint();
    await eventually(() => triggerNow() === 9, { what: 'the change' });
  });

  test('is asked for without a hint too, and only when there is a new one', async () => {
    await start(10);
    source.change({ memory: memory(9) });
    await eventually(() => triggerNow() === 9, { what: 'the change' });
    expect(source.snapshots).toBe(2);
  });

  test('a hint that comes while the answer is on its way is not lost', async () => {
    await start();
    source.change({ memory: memory(8) });
    source.hint();
    source.change({ memory: memory(9) });
    source.hint();
    await eventually(() => triggerNow() === 9, { what: 'the last change' });
  });

  test('is an earlier one when the database was brought back to it, and every model is built again', async () => {
    source.change({ resources: [llm('a')] });
    await start(10);
    const former = await registry.languageModel('a');
    source.state = { revision: 1, resources: [llm('a', { config: { model: 'x' } })], memory: memory(1) };
    await eventually(() => triggerNow() === 1, { what: 'the earlier state' });
    expect(await registry.languageModel('a')).not.toBe(former);
    expect(maker.built).toEqual(['a', 'a']);
  });

  test('is asked for once at a time: no answer comes after that to a later question', async () => {
    await start();
    const answer = source.snapshot.bind(source);
    let arrive: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    let underWay = 0;
    let most = 0;
    source.snapshot = async () => {
      most = Math.max(most, (underWay += 1));
      const state = await answer();
      await arrived;
      underWay -= 1;
      return state;
    };
    source.change({ memory: memory(8) });
    source.hint();
    source.change({ memory: memory(9) });
    source.hint();
    arrive();
    await eventually(() => triggerNow() === 9, { what: 'the last change' });
    expect(most).toBe(1);
  });

  test('is the last known one while config-service is down', async () => {
    await start(10);
    source.isDown = true;
    source.hint();
    expect(triggerNow()).toBe(5);
  });

  test('a start without config-service ends all the same; asking says so until it answers', async () => {
    source.isDown = true;
    await start(10);
    expect(() => registry.memory).toThrow(expect.objectContaining({ code: 'registry_unavailable' }));
    await expect(registry.languageModel('a')).rejects.toMatchObject({ code: 'registry_unavailable' });
    source.isDown = false;
    await eventually(() => triggerNow() === 5, { what: 'the first state' });
  });
});

describe('a model', () => {
  test('is built once, and again when its resource has changed', async () => {
    source.change({ resources: [llm('a')] });
    await start(10);
    const [first, same] = [await registry.languageModel('a'), await registry.languageModel('a')];
    expect(same).toBe(first);
    source.change({ resources: [llm('a', { revision: 7 })] });
    await eventually(async () => (await registry.languageModel('a')) !== first, { what: 'another one' });
    expect(maker.built).toEqual(['a', 'a']);
  });

  test('is built again when something that it is made of has changed', async () => {
    const hybrid = { kind: 'reranker', provider: 'rrf-hybrid', config: { reranker_ids: ['part'] } } as const;
    const part = llm('part', { kind: 'reranker', provider: 'bm25' });
    source.change({ resources: [llm('whole', hybrid), part] });
    await start(10);
    const first = await registry.reranker('whole');
    source.change({ resources: [llm('whole', hybrid), { ...part, revision: 2 }] });
    await eventually(async () => (await registry.reranker('whole')) !== first, { what: 'another one' });
  });

  test('that is made of others in many ways is found at once', async () => {
    const level = (of: number): Resource[] =>
      ['left', 'right'].map((side) =>
        llm(`${side} ${of}`, {
          kind: 'reranker',
          provider: of === 0 ? 'bm25' : 'rrf-hybrid',
          config: { reranker_ids: [`left ${of - 1}`, `right ${of - 1}`] },
        }),
      );
    source.change({ resources: Array.from({ length: 40 }, (_, of) => level(of)).flat() });
    await start();
    expect((await registry.reranker('left 39')).name).toBe('left 39');
  });

  test.each([
    [undefined, /'a' is not registered/],
    [llm('a', { status: 'pending' }), /still being probed/],
    [llm('a', { status: 'failed', error: 'The key was refused.' }), /failed: The key was refused\./],
  ])('that is not ready says why: %j', async (resource, message) => {
    source.change({ resources: resource ? [resource] : [] });
    await start();
    const asked = registry.languageModel('a');
    await expect(asked).rejects.toThrow(message);
    await expect(asked).rejects.toMatchObject({ code: 'resource_not_ready' });
  });

  test('is built for all who ask for it, whatever the deadline of the first', async () => {
    source.change({ resources: [llm('a')] });
    await start();
    await RequestContext.run({ requestId: 'first' }, () => registry.languageModel('a'));
    expect(maker.builtFor).toEqual([undefined]);
  });

  test('that could not be built is tried again at the next request', async () => {
    source.change({ resources: [llm('a')] });
    await start();
    maker.failing = true;
    await expect(registry.languageModel('a')).rejects.toThrow('MY_KEY');
    maker.failing = false;
    expect((await registry.languageModel('a')).name).toBe('a');
  });

  test('whose circuit opens is reported, with the revision that failed', async () => {
    source.change({ resources: [llm('a', { revision: 3 })] });
    await start();
    circuitOpens({ kind: 'language_model', name: 'a', reason: '5 calls failed' });
    circuitOpens({ kind: 'language_model', name: 'gone', reason: 'x' });
    expect(source.reports).toEqual([
      { kind: 'language_model', name: 'a', revision: 3, reason: '5 calls failed' },
    ]);
  });
});
