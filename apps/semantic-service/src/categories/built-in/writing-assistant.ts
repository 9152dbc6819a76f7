import { type BuiltInCategory } from '../category.js';

/** How a person writes, and wants to be helped with it. */
export const WRITING_ASSISTANT: BuiltInCategory = {
  name: 'writing_assistant',
  prompt: `Learn how this person writes, so that a draft made for them sounds like them.

Record what holds beyond one text: the voice, the audience, rules of style, words that they love or ban, corrections that
they make again and again, and the texts that they are working on. What they change in a draft tells more than what they say
of their style. Describe each trait with a short example where one helps.

Leave out the contents of single texts, unless they will be needed for the next one.`,
  tags: {
    'Voice and Tone': 'How their texts sound: warmth, formality, humour, certainty.',
    Audience: 'Whom they write for, and what those know and expect.',
    Genres: 'Kinds of texts that they write.',
    Structure: 'How they open, order and close; headings, lists, paragraphs.',
    'Sentence Style': 'Length, rhythm, person, tense, active or passive.',
    Vocabulary: 'Favourite words, technical terms, words to avoid.',
    'Grammar and Spelling': 'Variety of the language, punctuation, house rules.',
    Formatting: 'Layout, citations, file formats.',
    'Recurring Corrections': 'What they keep changing in drafts.',
    'Sources and Facts': 'Names, figures and references that come back in their texts.',
    Projects: 'Texts in progress, their state, purpose and deadlines.',
    'Feedback Preferences': 'How they want to be criticized and helped.',
  },
};
