const FIRST_PERSON = /\b(?:i|me|my|mine|myself)\b/i;
const SECOND_PERSON = /\b(?:you|your|yours)\b/i;

/** Whether an English query is about the person who asks: in the first person, and not about what "you" said. */
export const speaksOfAsker = (query: string): boolean =>
  FIRST_PERSON.test(query) && !SECOND_PERSON.test(query);

const PRESENT_TENSE = /\b(?:do|does|am|is|are)\b|['’](?:s|m|re)\b/i;
const PAST_TENSE = /\b(?:did|was|were|had|been)\b/i;

/** Whether an English query asks what holds now for the person who asks: "Where do I live?" */
export const asksForState = (query: string): boolean =>
  speaksOfAsker(query) && PRESENT_TENSE.test(query) && !PAST_TENSE.test(query) && !asksForPast(query);

const PAST =
  /\b(?:before|previous(?:ly)?|former(?:ly)?|used to|originally|at first|in the past|earlier|back then|old)\b/i;

/** Whether an English query asks for what held before what holds now. */
export const asksForPast = (query: string): boolean => PAST.test(query);
