export { LociChatMessageHistory } from './chat-message-history.js';
export { LociStore, type LociStoreOptions } from './loci-store.js';
