/**
 * English words that say nothing about the subject of a text, as `wordsOf` leaves them: contractions are cut
 * (`can't` is `ca`, `won't` is `wo`); those written without apostrophe are here unless they are words (`ill`, `shed`).
 */
const WORDS = `
a about above after again against ai all am an and any are as at be because been before being below between both but
by ca can could did do does doing down during each few for from further had has have having he her here hers herself
him himself his how i if in into is it its itself just me more most must my myself no nor not now of off on once only
or other ought our ours ourselves out over own same sha she should so some such than that the their theirs them
themselves then there these they this those through to too under until up very was we were what when where which
while who whom why will with wo would you your yours yourself yourselves
arent cant couldnt didnt doesnt dont hadnt hasnt havent im isnt ive shouldnt thats theyre theyve wasnt werent whats
wont wouldnt youre youve`;

export const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/));
