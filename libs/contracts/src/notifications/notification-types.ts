/** Names of features in one notification, of each kind; there may be more. */
export const MAX_FEATURES_PER_NOTIFICATION = 100;

/** What each type of notification carries, as clients get it. */
export interface NotificationData {
  /** Features of a set were added, changed or removed: by a client, by ingestion, or with the messages that they cited. */
  'features.changed': {
    readonly set_id: string;
    /** Ids, the first `MAX_FEATURES_PER_NOTIFICATION`. */
    readonly added: readonly string[];
    readonly updated: readonly string[];
    readonly removed: readonly string[];
    /** How many there are of each. */
    readonly counts: { readonly added: number; readonly updated: number; readonly removed: number };
  };
  /** A model asked for a change of what a client wrote; it waits for a decision. */
  'proposal.added': { readonly proposal_id: string; readonly set_id: string; readonly category: string };
  /** Messages of a set were given up for a category. */
  'dead_letter.added': {
    readonly dead_letter_id: string;
    readonly set_id: string;
    readonly category: string;
    readonly code: string;
    readonly reason: string;
  };
  /** A deletion by a filter is done: the messages and their vectors are gone. Semantic memory follows by itself, and may come later. */
  'deletion.done': { readonly job_id: string; readonly deleted: number };
  /** What models made of a project is taken away, and all of its messages wait to be learned again. */
  'relearning.done': { readonly started_at: string };
  /** A project is deleted for its users. */
  'project.deleted': { readonly project_id: string };
  /** A webhook took nothing for long, and gets nothing more until a client enables it. */
  'webhook.disabled': { readonly webhook_id: string; readonly reason: string };
  /** A model answers. */
  'model.ready': { readonly kind: string; readonly name: string };
  /** A model does not answer. */
  'model.failed': { readonly kind: string; readonly name: string; readonly reason: string };
}

export type NotificationType = keyof NotificationData;

const TYPES: Readonly<Record<NotificationType, true>> = {
  'features.changed': true,
  'proposal.added': true,
  'dead_letter.added': true,
  'deletion.done': true,
  'relearning.done': true,
  'project.deleted': true,
  'webhook.disabled': true,
  'model.ready': true,
  'model.failed': true,
};

/** What clients can be told of. */
export const NOTIFICATION_TYPES = Object.keys(TYPES) as readonly NotificationType[];

/** Where something happened. */
interface Where {
  readonly orgId?: string | undefined;
  readonly projectUid?: string | undefined;
}

/**
 * A notification to be raised.
 * @param id a UUID v7 that is new
 */
export const notification = <Type extends NotificationType>(
  id: string,
  type: Type,
  { orgId, projectUid }: Where,
  data: NotificationData[Type],
) => ({ id, type, at: new Date().toISOString(), orgId, projectUid, data });
