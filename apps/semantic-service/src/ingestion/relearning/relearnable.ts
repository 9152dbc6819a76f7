/** Condition on features: without a subject, and made by models alone. They are taken away when messages are learned again. */
export const IS_RELEARNABLE = `subject IS NULL AND NOT by_client AND deleted_at IS NULL`;
