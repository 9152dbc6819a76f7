import { type BuiltInCategory } from '../category.js';

/** How a person writes software, and what they are writing. */
export const CODING: BuiltInCategory = {
  name: 'coding',
  prompt: `Remember what helps a coding assistant to serve this developer and their code base better next time.

Record decisions, conventions, environments, corrections, and causes of faults that were really found. A rule that the
developer states counts more than one that is inferred from their code. Write each value so that it can be acted on without
the conversation: name the language, the file, the tool, the version where they matter. Never record passwords, keys or
tokens, nor code longer than a line.

Leave out single requests, and facts that anybody can look up. When a decision was reversed, update it, or say until when it held.`,
  tags: {
    'Languages and Frameworks': 'What they program in, with versions.',
    'Tools and Environment':
      'Editors, operating systems, build tools, package managers, continuous integration.',
    'Code Style': 'Formatting, naming, comments, idioms that they want or refuse.',
    Architecture: 'How the system is built, and why.',
    Conventions: 'Rules of the team or repository: branches, commits, reviews, tests.',
    Dependencies: 'Libraries in use, chosen or rejected, and the reasons.',
    Testing: 'How they test, what has to be covered, and with which tools.',
    'Known Problems': 'Faults, pitfalls and workarounds that were found.',
    'Domain Knowledge': 'What words and rules of the business mean in the code.',
    'Work in Progress': 'What is being built, its state and next steps.',
    'Skill Level': 'What they know well and what has to be explained.',
    Collaboration: 'How they want the assistant to work: autonomy, explanations, size of changes.',
  },
};
