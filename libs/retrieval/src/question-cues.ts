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
  /\b(?:before|previous(?:ly)?|former(?:ly)?|used to|originally|at first|in the past|earlier|back then|(?<!\bhow )old)\b/i;

/** Whether an English query asks for what held before what holds now. */
export const asksForPast = (query: string): boolean => PAST.test(query);

const HOLDS = /\b(?:do|does|am|is|are)\b|\b(?:what|who|where|when|how|which)['’]s\b|['’](?:m|re)\b/i;

/**
 * Whether an English query asks how something is ("Where does Ann live?"), or how it was before what is now, of the asker or of
 * others; not what "you" said.
 */
export function statementAskedFor(query: string): 'now' | 'before' | undefined {
  if (SECOND_PERSON.test(query)) return undefined;
  if (asksForPast(query)) return 'before';
  return HOLDS.test(query) && !PAST_TENSE.test(query) ? 'now' : undefined;
}

const ASKS = /[?？؟]\s*$/;
const ABOUT_QUESTIONS = /\b(?:ask(?:s|ed|ing)?|questions?|wonder(?:s|ed|ing)?)\b/i;

/** Whether a query wants an answer, and not a question that was asked. */
export const wantsAnswer = (query: string): boolean => ASKS.test(query) && !ABOUT_QUESTIONS.test(query);

const ENDS_AS_QUESTION = /[?？؟]$/;

/** Whether a text ends with a question mark. */
export const isQuestion = (text: string): boolean => ENDS_AS_QUESTION.test(text.trimEnd());
