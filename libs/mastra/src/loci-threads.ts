import {
  type Episode,
  type Filter,
  givenItem,
  inParts,
  type Loci,
  type Memory,
  storedItem,
  where,
} from '@loci/client';
import { type MastraDBMessage, type StorageThreadType } from '@mastra/core/memory';
import {
  InMemoryStore,
  MemoryStorage,
  type StorageCloneThreadInput,
  type StorageCloneThreadOutput,
  type StorageListMessagesByResourceIdInput,
  type StorageListMessagesInput,
  type StorageListMessagesOutput,
  type StorageListThreadsInput,
  type StorageListThreadsOutput,
} from '@mastra/core/storage';

export interface LociThreadsOptions {
  readonly loci: Loci;
  /** Organization. */
  readonly org: string;
  readonly project: string;
  /** Who answers: the producer of messages of the assistant. */
  readonly agent?: string;
}

type Update = Parameters<MemoryStorage['updateMessages']>[0];

const KIND = 'mastra';
const MESSAGE_ID = 'mastra_message';

/** Of an id of 36 characters a filter, which has 4096 at most, holds about a hundred. */
const IDS_AT_ONCE = 50;

/** Loci takes a thousand in one request, and 4 MB. */
const MESSAGES_AT_ONCE = 100;

/**
 * Threads and messages of Mastra in a project of Loci: a resource is a user, a thread a session, a message an episode, from
 * which Loci learns as from any other. Pages, orders, copies and merges are those of Mastra's own store, which is filled with
 * what is asked about.
 */
export class LociThreads extends MemoryStorage {
  override readonly supportsPartialThreadUpdate = true;

  constructor(private readonly scope: LociThreadsOptions) {
    super();
  }

  async getThreadById({ threadId, resourceId }: { threadId: string; resourceId?: string }) {
    const [stored] = await this.threads({ session: threadId });
    const isOfAnother = resourceId !== undefined && stored?.thread.resourceId !== resourceId;
    return stored && !isOfAnother ? stored.thread : null;
  }

  /** The new record is there before the old one goes: no reader misses both. */
  async saveThread({ thread }: { thread: StorageThreadType }): Promise<StorageThreadType> {
    const old = await this.threads({ session: thread.id });
    const memory = this.memory({ user: thread.resourceId, session: thread.id });
    const metadata = { [KIND]: 'thread', ...storedItem(thread) };
    await memory.add({ content: '', role: 'thread', metadata }, { kinds: ['episode'] });
    await this.forget(old.map(({ episode }) => episode));
    return thread;
  }

  async updateThread(args: { id: string; title?: string; metadata?: Record<string, unknown> }) {
    const stored = await this.threads({ session: args.id });
    const own = await filledWith(stored.map(({ thread }) => thread));
    return this.saveThread({ thread: await own.updateThread(args) });
  }

  /** With its messages; what others than Mastra stored in a session of that name stays. */
  async deleteThread({ threadId }: { threadId: string }): Promise<void> {
    await this.memory({}).forget(where({ session_id: threadId, metadata: { [KIND]: { exists: true } } }));
  }

  async listThreads(args: StorageListThreadsInput): Promise<StorageListThreadsOutput> {
    const user = args.filter?.resourceId;
    const stored = await this.threads(user === undefined ? {} : { user });
    return (await filledWith(stored.map(({ thread }) => thread))).listThreads(args);
  }

  async listMessages(args: StorageListMessagesInput): Promise<StorageListMessagesOutput> {
    const { threadId, resourceId } = args;
    const filter = where({ session_id: [threadId].flat() });
    const stored = await this.messages(filter, resourceId === undefined ? {} : { user: resourceId });
    return (await filledWith([], stored)).listMessages(args);
  }

  override async listMessagesByResourceId(args: StorageListMessagesByResourceIdInput) {
    const stored = await this.messages(undefined, { user: args.resourceId });
    return (await filledWith([], stored)).listMessagesByResourceId(args);
  }

  async listMessagesById({ messageIds }: { messageIds: string[] }) {
    const stored = (await this.withIds(messageIds)).map(messageOf);
    return (await filledWith([], stored)).listMessagesById({ messageIds });
  }

  /** A message that is there already is replaced, unless it says the same. */
  async saveMessages({
    messages,
  }: {
    messages: MastraDBMessage[];
  }): Promise<{ messages: MastraDBMessage[] }> {
    const known = await this.withIds(messages.map(({ id }) => id));
    const isKnown = (message: MastraDBMessage) => known.some((episode) => saysTheSame(episode, message));
    const fresh = messages.filter((message) => !isKnown(message));
    for (const group of byConversation(fresh).values()) await this.add(group);
    const ids = new Set(fresh.map(({ id }) => id));
    await this.forget(known.filter(({ metadata }) => ids.has(metadata[MESSAGE_ID] ?? '')));
    return { messages };
  }

  async updateMessages({ messages: updates }: Update): Promise<MastraDBMessage[]> {
    const stored = await this.withIds(updates.map(({ id }) => id));
    const own = await filledWith([], stored.map(messageOf));
    const { messages } = await this.saveMessages({
      messages: await own.updateMessages({ messages: updates }),
    });
    return messages;
  }

  override async deleteMessages(messageIds: string[]): Promise<void> {
    await this.forget(await this.withIds(messageIds));
  }

  override async cloneThread(args: StorageCloneThreadInput): Promise<StorageCloneThreadOutput> {
    const { sourceThreadId, newThreadId } = args;
    const ids = [sourceThreadId, ...(newThreadId === undefined ? [] : [newThreadId])];
    const threads = await Promise.all(ids.map((threadId) => this.getThreadById({ threadId })));
    const messages = await this.messages(where({ session_id: sourceThreadId }));
    const own = await filledWith(
      threads.filter((thread) => thread !== null),
      messages,
    );
    const cloned = await own.cloneThread(args);
    try {
      // a thread that is there has all its messages
      await this.saveMessages({ messages: cloned.clonedMessages });
      await this.saveThread({ thread: cloned.thread });
    } catch (error) {
      await this.deleteThread({ threadId: cloned.thread.id }).catch(() => undefined);
      throw error;
    }
    return cloned;
  }

  /** Threads and messages of the project; what else is in it stays. */
  async dangerouslyClearAll(): Promise<void> {
    await this.memory({}).forget(where({ metadata: { [KIND]: { exists: true } } }));
  }

  private memory(narrowed: { readonly user?: string; readonly session?: string }): Memory {
    const { loci, org, project, agent } = this.scope;
    return loci.memory({ org, project, ...(agent !== undefined && { agent }), ...narrowed });
  }

  private async add(messages: readonly MastraDBMessage[]): Promise<void> {
    const [{ threadId, resourceId } = {}] = messages;
    const user = resourceId === undefined ? {} : { user: resourceId };
    const session = threadId === undefined ? {} : { session: threadId };
    const added = messages.map((message) => ({
      content: textOf(message),
      role: message.role,
      at: message.createdAt,
      metadata: { [KIND]: 'message', [MESSAGE_ID]: message.id, ...storedItem(message) },
    }));
    for (const some of inParts(added, MESSAGES_AT_ONCE)) await this.memory({ ...user, ...session }).add(some);
  }

  private async threads(narrowed: { readonly user?: string; readonly session?: string }) {
    const filter = where({ metadata: { [KIND]: 'thread' } });
    const newest = new Map<string, { thread: StorageThreadType; episode: Episode }>();
    for await (const episode of this.memory(narrowed).list({ filter, kinds: ['episode'] })) {
      const thread = withDates(givenItem(episode) as StorageThreadType);
      newest.set(thread.id, { thread, episode });
    }
    return [...newest.values()];
  }

  private async episodes(filter?: Filter, narrowed: { readonly user?: string } = {}): Promise<Episode[]> {
    const ofMastra = where({ metadata: { [KIND]: 'message' } });
    const chosen = filter ? ofMastra.and(filter) : ofMastra;
    const episodes: Episode[] = [];
    const all = this.memory(narrowed).list({ filter: chosen, kinds: ['episode'] });
    for await (const episode of all) episodes.push(episode);
    return episodes;
  }

  private async messages(
    filter?: Filter,
    narrowed: { readonly user?: string } = {},
  ): Promise<MastraDBMessage[]> {
    const episodes = await this.episodes(filter, narrowed);
    return episodes.map(messageOf);
  }

  /** The episodes of messages: one filter holds no more ids than `IDS_AT_ONCE`. */
  private async withIds(ids: readonly string[]): Promise<Episode[]> {
    const episodes: Episode[] = [];
    for (const some of inParts(ids, IDS_AT_ONCE)) {
      episodes.push(...(await this.episodes(where({ metadata: { [MESSAGE_ID]: some } }))));
    }
    return episodes;
  }

  private async forget(episodes: readonly Episode[]): Promise<void> {
    if (episodes.length > 0) await this.memory({}).forget(episodes);
  }
}

async function filledWith(
  threads: readonly StorageThreadType[],
  messages: MastraDBMessage[] = [],
): Promise<MemoryStorage> {
  const store = await new InMemoryStore().getStore('memory');
  if (!store) throw new Error('The store of Mastra has no memory.');
  for (const thread of threads) await store.saveThread({ thread });
  await store.saveMessages({ messages });
  return store;
}

const messageOf = (episode: Episode): MastraDBMessage => withDates(givenItem(episode) as MastraDBMessage);

const textOf = ({ content }: MastraDBMessage): string =>
  content.parts
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('\n')
    .trim();

const saysTheSame = ({ metadata }: Episode, message: MastraDBMessage): boolean =>
  metadata[MESSAGE_ID] === message.id && JSON.stringify(givenItem({ metadata })) === JSON.stringify(message);

function byConversation(messages: readonly MastraDBMessage[]): Map<string, MastraDBMessage[]> {
  const groups = new Map<string, MastraDBMessage[]>();
  for (const message of messages) {
    const key = JSON.stringify([message.threadId, message.resourceId]);
    groups.set(key, [...(groups.get(key) ?? []), message]);
  }
  return groups;
}

/** JSON knows no dates. */
function withDates<Stored extends { createdAt: Date; updatedAt?: Date }>(stored: Stored): Stored {
  const { createdAt, updatedAt } = stored;
  return {
    ...stored,
    createdAt: new Date(createdAt),
    ...(updatedAt && { updatedAt: new Date(updatedAt) }),
  };
}
