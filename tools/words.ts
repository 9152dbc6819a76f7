/** Words that the glossary replaced, each with the term to write instead. In identifiers they count as parts of a name. */
const RETIRED: Readonly<Record<string, string>> = {
  arrival: 'import',
  arriving: 'imported',
  bury: 'dead-letter',
  buried: 'dead-lettered',
  holdings: 'what is stored',
  keeper: 'periodic job, or what it does',
  ledger: 'what is written or acknowledged',
  nobody: 'the process, caller or tenant that is meant',
  place: 'path, index, position, context or parent',
  places: 'paths, indexes or positions',
  somebody: 'the process, caller or tenant that is meant',
  twin: 'duplicate',
  twins: 'duplicates',
  whoever: 'the process, caller or tenant that is meant',
  workshop: 'context',
  'sign of life': 'renewal of a lease, or progress',
  'work order': 'work message',
  'work orders': 'work messages',
};

/** Uses of these words in their plain sense, and names that stay: the user `nobody` of Unix, files of migrations. */
const PLAIN = [
  /\b(?:in|its|takes?|taken) place\b/gi,
  /\bplace of birth\b/gi,
  /(?<=['"`/ ])nobody(?=['"`/])/g,
  /\bNOBODY\w*/g,
  /\w*Arrivals\d+|\d{4}-arrivals/g,
];

const WORDS = new RegExp(`\\b(?:${Object.keys(RETIRED).join('|')})\\b`, 'gi');

/** The retired words of a text, in sentences that name their lines. */
export function retiredWords(text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const plain = PLAIN.reduce((rest, pattern) => rest.replace(pattern, ''), line);
    const words = plain.replace(/([a-z\d])([A-Z])/g, '$1 $2').match(WORDS) ?? [];
    return words.map(
      (word) => `line ${index + 1}: "${word}"; write ${RETIRED[word.toLowerCase()] ?? 'another'}`,
    );
  });
}
