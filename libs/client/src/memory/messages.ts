import { type components } from '../api.generated.js';
import { type MemoryScope, notedOf } from './scope.js';

type MessageSpec = components['schemas']['MessageSpec'];

/** What was said. */
export interface Message {
  readonly content: string;
  /** Default `user`. */
  readonly role?: string;
  /** Who said it. Default: the user of the memory for the role `user`, its agent for others. */
  readonly producer?: string;
  /** Default: the other one of user and agent. */
  readonly producedFor?: string;
  /** Default: now. */
  readonly at?: Date | string;
  /** Beside what the scope of the memory notes, which goes before it. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** What the API calls otherwise. Further fields, such as those that providers add to messages, are left out. */
const RENAMED = { timestamp: 'at', created_at: 'at', producer_id: 'producer', produced_for: 'producedFor' };

/** A text is said by the user. */
export type Said = string | Message;

/** @throws TypeError for what is neither, and for a field that has the name of the API: `timestamp` is `at` here */
export function toMessage(said: Said, scope: MemoryScope): MessageSpec {
  refuseOthers(said);
  const {
    content,
    role = 'user',
    at,
    metadata,
    ...given
  } = typeof said === 'string' ? { content: said } : said;
  const isUser = role === 'user';
  const [speaker, listener] = isUser ? [scope.user, scope.agent] : [scope.agent ?? role, scope.user];
  const producer = given.producer ?? speaker;
  const producedFor = given.producedFor ?? listener;
  return {
    content,
    role,
    ...(producer !== undefined && { producer }),
    ...(producedFor !== undefined && { produced_for: producedFor }),
    ...(at !== undefined && { timestamp: typeof at === 'string' ? at : at.toISOString() }),
    metadata: { ...metadata, ...notedOf(scope) },
  };
}

function refuseOthers(said: unknown): void {
  if (typeof said === 'string') return;
  if (typeof said !== 'object' || said === null || !('content' in said)) {
    throw new TypeError("A message is a text, or { content: '…' } with a role and more.");
  }
  for (const [name, meant] of Object.entries(RENAMED)) {
    if (name in said) throw new TypeError(`A message has no field ${name}; write ${meant}.`);
  }
}
