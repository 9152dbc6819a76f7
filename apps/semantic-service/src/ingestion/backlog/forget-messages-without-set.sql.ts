import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** See `MessagesWithoutSet`. @param condition on messages, with its parameters */
export const forgetMessagesWithoutSet = (condition: string) =>
  sql({ text: `DELETE FROM ${SCHEMA}.messages_without_set WHERE ${condition}` });
