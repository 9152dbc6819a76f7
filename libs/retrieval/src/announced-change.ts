/** Words by which people say that something is not as it was; spaces and question marks are those of a regular expression. */
export const WORDS_OF_CHANGE = [
  'moved|now|nowadays|new|these days|from now on|no longer|any ?more|any longer|switched|changed|instead|replaced',
  'cancell?ed|postponed|quit|gave up|given up|stopped|started|retired|sold|left|again|since',
].join('|');

/** Characters in which a change is announced: long answers have such words somewhere. */
export const OPENING_CHARACTERS = 300;

const CHANGE = new RegExp(`\\b(?:${WORDS_OF_CHANGE})\\b`, 'i');

/** Whether the opening of an English text says that something is not as it was. */
export const announcesChange = (text: string): boolean => CHANGE.test(text.slice(0, OPENING_CHARACTERS));
