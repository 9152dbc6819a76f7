import {
  addedAnswer,
  conflictsToolAnswer,
  contextToolAnswer,
  doneAnswer,
  foundAnswer,
  listedAnswer,
} from './mcp-answers.wire.js';
import { type ToolDescription } from './mcp-tool.js';

export const ADD = {
  name: 'add_memory',
  title: 'Add a memory',
  description:
    'Store one thing that was said or learnt, so that later conversations can find it. Write it so that it can be understood on its own. Gives its uid.',
  answer: addedAnswer,
  access: 'write',
} as const satisfies ToolDescription;

export const SEARCH = {
  name: 'search_memory',
  title: 'Search memory',
  description:
    'Find what is remembered on a subject: messages, best first, and what is known of it. Ask in a sentence. Of one user only, if one is named.',
  answer: foundAnswer,
  access: 'read',
  organization: 'read',
} as const satisfies ToolDescription;

export const CONTEXT = {
  name: 'get_context',
  title: 'Get context for a question',
  description:
    'Get what is remembered that matters to a question, as a text within a token budget: profile, facts, relevant episodes and recent turns, each line with a marker that its citation explains. Of one user only, if one is named.',
  answer: contextToolAnswer,
  access: 'read',
  organization: 'read',
} as const satisfies ToolDescription;

export const LIST = {
  name: 'list_memories',
  title: 'List memories',
  description:
    'Go through everything that is remembered, page by page: facts, or messages as they were said. To find something, search instead. Of one user only, if one is named.',
  answer: listedAnswer,
  access: 'read',
  organization: 'read',
} as const satisfies ToolDescription;

export const CORRECT = {
  name: 'correct_memory',
  title: 'Correct a fact',
  description:
    'Make a fact say something else, when the user says that it is wrong. No model changes it afterwards; its history keeps what it said before.',
  answer: doneAnswer,
  access: 'write',
  organization: 'change',
  replaces: true,
  isIdempotent: true,
} as const satisfies ToolDescription;

export const DELETE = {
  name: 'delete_memory',
  title: 'Delete memories',
  description:
    'Delete messages and facts for good, by the ids that a search or a list showed. Ask the user first.',
  answer: doneAnswer,
  access: 'write',
  organization: 'change',
  replaces: true,
  isIdempotent: true,
} as const satisfies ToolDescription;

export const CONFLICTS = {
  name: 'list_conflicts',
  title: 'List contradictions',
  description:
    'List facts that contradict each other: two values under one name that can have one only. Ask the user which of them holds. Of one user only, if one is named.',
  answer: conflictsToolAnswer,
  access: 'read',
  organization: 'read',
} as const satisfies ToolDescription;

export const SETTLE = {
  name: 'settle_conflict',
  title: 'Settle a contradiction',
  description:
    'Keep one of several facts that contradict each other, when the user has said which holds. The others end; their history keeps them.',
  answer: doneAnswer,
  access: 'write',
  organization: 'change',
  replaces: true,
} as const satisfies ToolDescription;

/** The rows of the access table that are tools. */
export const MCP_TOOLS: readonly ToolDescription[] = [
  ADD,
  SEARCH,
  CONTEXT,
  LIST,
  CORRECT,
  DELETE,
  CONFLICTS,
  SETTLE,
];
