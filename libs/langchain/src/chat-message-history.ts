import { type Conversation, type ConversationItem } from '@loci/client';
import { BaseListChatMessageHistory } from '@langchain/core/chat_history';
import {
  type BaseMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  type StoredMessage,
} from '@langchain/core/messages';

const ROLES: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant' };

/**
 * The messages of one conversation, which memory learns from like from any other.
 * @example new LociChatMessageHistory(loci.conversation({ org, project, user, session }))
 */
export class LociChatMessageHistory extends BaseListChatMessageHistory {
  lc_namespace = ['loci', 'chat_history'];

  constructor(private readonly conversation: Conversation<StoredMessage>) {
    super();
  }

  async getMessages(): Promise<BaseMessage[]> {
    return mapStoredMessagesToChatMessages(await this.conversation.items());
  }

  addMessage(message: BaseMessage): Promise<void> {
    return this.addMessages([message]);
  }

  override async addMessages(messages: BaseMessage[]): Promise<void> {
    await this.conversation.add(messages.flatMap(toItem));
  }

  override clear(): Promise<void> {
    return this.conversation.clear();
  }
}

function toItem(message: BaseMessage): ConversationItem<StoredMessage>[] {
  const role = ROLES[message.type] ?? message.type;
  return mapChatMessagesToStoredMessages([message]).map((item) => ({ item, role, text: message.text }));
}
