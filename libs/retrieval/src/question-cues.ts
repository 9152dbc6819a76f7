const FIRST_PERSON = /\b(?:i|me|my|mine|myself)\b/i;
const SECOND_PERSON = /\b(?:you|your|yours)\b/i;

/** Whether an English query is about the person who asks: in the first person, and not about what "you" said. */
export const speaksOfAsker = (query: string): boolean =>
  FIRST_PERSON.test(query) && !SECOND_PERSON.test(query);

const PAST =
  /\b(?:before|previous(?:ly)?|former(?:ly)?|used to|originally|at first|in the past|earlier|back then|old)\b/i;

/** Whether an English query asks for what held before what holds now. */
export const asksForPast = (query: string): boolean => PAST.test(query);
