import { type Loci, LociError, type Memory } from '@loci/client';
import {
  filterSystemReminderMessages,
  MastraMemory,
  type MemoryConfig,
  type MessageDeleteInput,
  parseMemoryRequestContext,
  type StorageThreadType,
} from '@mastra/core/memory';
import { type InputProcessor, type InputProcessorOrWorkflow } from '@mastra/core/processors';
import { type RequestContext } from '@mastra/core/request-context';
import {
  MastraCompositeStore,
  type StorageCloneThreadInput,
  type StorageListThreadsInput,
} from '@mastra/core/storage';
import { LociThreads } from './loci-threads.js';
import { remembered } from './remembered.js';

export interface LociMemoryOptions {
  readonly loci: Loci;
  /** Organization. */
  readonly org: string;
  readonly project: string;
  /** Who answers: the producer of messages of the assistant. */
  readonly agent?: string;
  /** Tokens of what is remembered of other threads at most; default 1000. */
  readonly maxTokens?: number;
  /** Milliseconds that what is remembered of other threads may take; default 10000. */
  readonly timeoutMs?: number;
  /** Hears of a failure of that, after which the agent answers without it. Default: the failure is thrown. */
  readonly onError?: (error: unknown) => void;
  /** Of Mastra's own options those that apply: meaning is searched, and facts are kept, by Loci. */
  readonly options?: Pick<MemoryConfig, 'generateTitle' | 'lastMessages' | 'messageHistory' | 'readOnly'>;
}

type RecallInput = Parameters<MastraMemory['recall']>[0];
type Saved = Parameters<MastraMemory['saveMessages']>[0];

/**
 * The memory of an agent: the messages of a thread word for word, and before the model what is known of its resource from
 * all threads. A resource is a user of Loci, a thread a session.
 * @example
 * const memory = new LociMemory({ loci, org: 'acme', project: 'travel' });
 * const agent = new Agent({ id, name, instructions, model, memory });
 * await agent.generate('Which seat?', { memory: { resource: 'alice', thread: 'trip-1' } });
 */
export class LociMemory extends MastraMemory {
  private readonly threads: LociThreads;
  private readonly remembered: InputProcessor;

  constructor(private readonly settings: LociMemoryOptions) {
    const threads = new LociThreads(settings);
    const storage = new MastraCompositeStore({ id: 'loci', name: 'Loci', domains: { memory: threads } });
    super({ id: 'loci-memory', name: 'Memory of Loci', storage, options: settings.options ?? {} });
    this.threads = threads;
    this.remembered = this.processor();
  }

  override async getInputProcessors(
    configured: InputProcessorOrWorkflow[] = [],
    context?: RequestContext,
  ): Promise<InputProcessor[]> {
    const own = await super.getInputProcessors(configured, context);
    return configured.some(({ id }) => id === this.remembered.id) ? own : [...own, this.remembered];
  }

  getThreadById({ threadId }: { threadId: string }): Promise<StorageThreadType | null> {
    return this.threads.getThreadById({ threadId });
  }

  listThreads(args: StorageListThreadsInput) {
    return this.threads.listThreads(args);
  }

  saveThread({ thread }: { thread: StorageThreadType }): Promise<StorageThreadType> {
    return this.threads.saveThread({ thread });
  }

  updateThread({ id, title, metadata }: Parameters<MastraMemory['updateThread']>[0]) {
    return this.threads.patchThread({
      id,
      ...(title !== undefined && { title }),
      ...(metadata && { metadata }),
    });
  }

  deleteThread(threadId: string): Promise<void> {
    return this.threads.deleteThread({ threadId });
  }

  cloneThread(args: StorageCloneThreadInput) {
    return this.threads.cloneThread(args);
  }

  saveMessages({ messages }: Saved) {
    return this.threads.saveMessages({ messages: messages.filter(({ role }) => role !== 'system') });
  }

  /** With `vectorSearchString`, messages of the thread that Loci finds for it are among the answer, whatever its page. */
  async recall({ vectorSearchString, hideSignals, ...chosen }: RecallInput) {
    const include = [...(chosen.include ?? []), ...(await this.found(vectorSearchString, chosen))];
    const page = await this.threads.listMessages({ ...chosen, ...(include.length > 0 && { include }) });
    const said = page.messages.filter(({ role }) => role !== 'system');
    return { ...page, messages: filterSystemReminderMessages(said, undefined, hideSignals) };
  }

  deleteMessages(messages: MessageDeleteInput): Promise<void> {
    const ids = [messages].flat().map((message) => (typeof message === 'string' ? message : message.id));
    return this.threads.deleteMessages(ids);
  }

  /** What Loci has learned of the resource. */
  async getWorkingMemory({ resourceId }: { resourceId?: string }): Promise<string | null> {
    if (resourceId === undefined) return null;
    try {
      const { text } = await this.of(resourceId).profile();
      return text === '' ? null : text;
    } catch (error) {
      if (isOfUnknown(error)) return null;
      throw error;
    }
  }

  getWorkingMemoryTemplate(): Promise<null> {
    return Promise.resolve(null);
  }

  updateWorkingMemory(): Promise<void> {
    return Promise.reject(new Error(LEARNED));
  }

  __experimental_updateWorkingMemoryVNext(): Promise<{ success: boolean; reason: string }> {
    return Promise.resolve({ success: false, reason: LEARNED });
  }

  private async found(query: string | undefined, { threadId, resourceId }: RecallInput) {
    if (query === undefined || query.trim() === '') return [];
    const hits = await Promise.all(
      [threadId].flat().map((session) => this.of(resourceId, session).recall(query, { kinds: ['episode'] })),
    );
    const ids = hits.flatMap(({ memories }) => memories.map(({ metadata }) => metadata['mastra_message']));
    return ids.filter((id) => id !== undefined).map((id) => ({ id }));
  }

  private of(user: string | undefined, session?: string): Memory {
    const { loci, org, project, agent } = this.settings;
    const narrowed = {
      ...(agent !== undefined && { agent }),
      ...(user !== undefined && { user }),
      ...(session !== undefined && { session }),
    };
    return loci.memory({ org, project, ...narrowed });
  }

  /** Without a resource nothing is read. */
  private processor(): InputProcessor {
    return {
      id: 'loci-memory',
      name: 'Memory of Loci',
      processInput: async ({ messages, systemMessages, requestContext, abortSignal }) => {
        const resource = parseMemoryRequestContext(requestContext)?.resourceId;
        if (resource === undefined) return messages;
        const asked = { messages, ...(abortSignal && { abortSignal }) };
        const { onError } = this.settings;
        const content = await remembered(this.of(resource), asked, this.settings).catch((error: unknown) => {
          if (!onError) throw error;
          onError(error);
          return undefined;
        });
        if (content === undefined) return messages;
        return { messages, systemMessages: [...systemMessages, { role: 'system', content }] };
      },
    };
  }
}

/** Of a user of whom nothing was learned Loci has no profile. */
const isOfUnknown = (error: unknown): boolean =>
  error instanceof LociError && error.problems.some(({ loc }) => loc.join('.') === 'body.user');

const LEARNED =
  'Loci learns what is known of a resource from what is said; correct it with memory.correct() of @loci/client.';
