import { type Conversation, type ConversationItem } from '@loci/client';
import { type AgentInputItem, type Session } from '@openai/agents-core';

/**
 * A session of the Agents SDK: the items of one conversation, from whose messages memory learns as from any other.
 * @example run(agent, 'Hello', { session: new LociSession(loci.conversation({ org, project, user, session })) })
 */
export class LociSession implements Session {
  constructor(private readonly conversation: Conversation<AgentInputItem>) {}

  getSessionId(): Promise<string> {
    return Promise.resolve(this.conversation.id);
  }

  /** The newest ones, oldest first. */
  getItems(limit?: number): Promise<AgentInputItem[]> {
    return this.conversation.items(limit);
  }

  addItems(items: AgentInputItem[]): Promise<void> {
    return this.conversation.add(items.map(toItem));
  }

  popItem(): Promise<AgentInputItem | undefined> {
    return this.conversation.pop();
  }

  clearSession(): Promise<void> {
    return this.conversation.clear();
  }
}

function toItem(item: AgentInputItem): ConversationItem<AgentInputItem> {
  if (!('role' in item)) return { item, role: 'tool', text: '' };
  const { role, content } = item;
  if (typeof content === 'string') return { item, role, text: content };
  return { item, role, text: content.map((part) => ('text' in part ? part.text : '')).join('\n') };
}
