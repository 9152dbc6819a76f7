/** What the events of each type carry. */
export interface Payloads {
  /** Features of a set were added, changed or removed; the lists have the first 100 ids of each kind. */
  'features.changed': {
    readonly set_id: string;
    readonly added: readonly string[];
    readonly updated: readonly string[];
    readonly removed: readonly string[];
    readonly counts: { readonly added: number; readonly updated: number; readonly removed: number };
  };
  /** A model asks for a change of what a client wrote. */
  'proposal.added': { readonly proposal_id: string; readonly set_id: string; readonly category: string };
  /** Messages were given up for a category. */
  'dead_letter.added': {
    readonly dead_letter_id: string;
    readonly set_id: string;
    readonly category: string;
    readonly code: string;
    readonly reason: string;
  };
  /** A deletion by a filter is done: the messages and their vectors are gone. Semantic memory follows by itself, and may come later. */
  'deletion.done': { readonly job_id: string; readonly deleted: number };
  /** All messages of a project wait to be learned again. */
  'relearning.done': { readonly started_at: string };
  'project.deleted': { readonly project_id: string };
  /** A webhook took nothing for long, and gets nothing more until it is enabled. */
  'webhook.disabled': { readonly webhook_id: string; readonly reason: string };
  'model.ready': { readonly kind: string; readonly name: string };
  'model.failed': { readonly kind: string; readonly name: string; readonly reason: string };
}
