/** A feature, a question that it answers, and a question of the same kind that no feature answers. */
export interface AskedFeature {
  readonly tag: string;
  readonly feature: string;
  readonly value: string;
  readonly answered: string;
  readonly unanswered: string;
}

type Row = readonly [tag: string, feature: string, value: string, answered: string, unanswered: string];

/** Written by hand, as models word what they extract; about half of the questions share no word with their feature. */
const ROWS: readonly Row[] = [
  ['Food', 'favorite dish', 'aubergine curry', 'What does she like to eat?', 'What is her shoe size?'],
  ['Food', 'allergy', 'peanuts', 'What must she not eat?', 'Which vaccines did she get?'],
  [
    'Food',
    'coffee',
    'black, without sugar',
    'How does she take her coffee?',
    'Which tea brand does she buy?',
  ],
  ['Travel', 'seat preference', 'window seats', 'Where does she sit on planes?', 'Which visa does she need?'],
  ['Travel', 'next trip', 'Kyoto in November', 'Where will she go in autumn?', 'Who will feed her parrot?'],
  [
    'Travel',
    'airline',
    'flies with Finnair',
    'Which airline does she use?',
    'How many miles did she collect?',
  ],
  ['Home', 'city', 'lives in Gothenburg', 'Where does she live?', 'What rent does she pay?'],
  [
    'Home',
    'dwelling',
    'third floor without a lift',
    'Is her flat easy to reach?',
    'What colour is her sofa?',
  ],
  ['Home', 'roommate', 'shares the flat with Ines', 'Who lives with her?', 'Who is her landlord?'],
  ['Work', 'employer', 'a bank in the old harbour', 'Where does she work?', 'What is her salary?'],
  ['Work', 'role', 'data engineer', 'What is her profession?', 'Which university did she attend?'],
  ['Work', 'manager', 'reports to Karl Lund', 'Who is her boss?', 'Who hired the new intern?'],
  ['Work', 'hours', 'four days a week', 'Does she work full time?', 'When does her contract end?'],
  [
    'Family',
    'sister',
    'Paula, a doctor in Madrid',
    'Does she have siblings?',
    'What is her grandfather called?',
  ],
  [
    'Family',
    'partner',
    'married to Tomas since 2019',
    'Who is her husband?',
    'Where did they spend the honeymoon?',
  ],
  [
    'Family',
    'children',
    'a son named Leo',
    'What is her child called?',
    'Which school does her daughter visit?',
  ],
  ['Pets', 'dog', 'a beagle called Biscuit', 'What pet does she have?', 'Is the aquarium clean?'],
  ['Health', 'sleep', 'wakes up at five every day', 'When does she get up?', 'What is her blood type?'],
  [
    'Health',
    'injury',
    'a torn ligament in the left knee',
    'What happened to her leg?',
    'Does she wear glasses?',
  ],
  ['Health', 'medication', 'takes iron tablets', 'Which medicine does she need?', 'Who is her dentist?'],
  ['Sport', 'running', 'trains for a half marathon', 'Which race does she prepare for?', 'Can she ski?'],
  [
    'Sport',
    'club',
    'rows at the Molndal boat club',
    'Where does she row?',
    'Which football team does she support?',
  ],
  [
    'Music',
    'instrument',
    'plays the cello',
    'Which instrument does she play?',
    'Which festival did she visit?',
  ],
  [
    'Music',
    'taste',
    'listens to Brazilian jazz',
    'What music does she enjoy?',
    'Does she own a record player?',
  ],
  [
    'Books',
    'author',
    'reads everything by Le Guin',
    'Who is her favorite writer?',
    'Which newspaper does she read?',
  ],
  [
    'Language',
    'spoken',
    'Spanish, Swedish and English',
    'What languages does she speak?',
    'Does she know Morse code?',
  ],
  [
    'Money',
    'budget',
    'at most 900 euros for a bike',
    'How much may the bike cost?',
    'Which bank has her savings?',
  ],
  ['Car', 'vehicle', 'drives an old Volvo estate', 'What car does she have?', 'When is the tax return due?'],
  [
    'Shopping',
    'clothes',
    'buys second hand only',
    'How does she shop for clothes?',
    'What size is her ring?',
  ],
  ['Calendar', 'birthday', '14 May', 'When was she born?', 'When is her wedding anniversary?'],
  [
    'Devices',
    'laptop',
    'a ThinkPad with Linux',
    'Which computer does she use?',
    'What is her wifi password?',
  ],
  [
    'Devices',
    'phone',
    'switched to a Fairphone',
    'What phone does she have?',
    'Which printer stands in the office?',
  ],
  [
    'Style',
    'answers',
    'wants short answers with bullet points',
    'How long should replies be?',
    'Which font does she like?',
  ],
  ['Style', 'tone', 'dislikes jokes in mails', 'May I be funny in a mail?', 'Does she use dark mode?'],
  ['Garden', 'plants', 'grows tomatoes on the balcony', 'What does she plant?', 'How deep is the well?'],
  [
    'Politics',
    'engagement',
    'volunteers for the tenants union',
    'What does she do for others?',
    'Whom did she vote for?',
  ],
  [
    'Study',
    'course',
    'an evening class in pottery',
    'What is she learning?',
    'Which grade did she get in physics?',
  ],
  ['Fears', 'heights', 'afraid of heights', 'What frightens her?', 'Has she seen a whale?'],
  ['Plans', 'house', 'wants to buy a cabin by a lake', 'What does she save for?', 'Who painted the fence?'],
  ['Habits', 'smoking', 'stopped smoking in January', 'Does she smoke?', 'How tall is she?'],
];

export const ASKED_FEATURES: readonly AskedFeature[] = ROWS.map(
  ([tag, feature, value, answered, unanswered]) => ({ tag, feature, value, answered, unanswered }),
);

/** Queries that are no questions about a person. */
export const NONSENSE: readonly string[] = [
  'zxqv blorf wug',
  'What is the capital of Peru?',
  'integral of x squared',
  'SELECT * FROM users',
  'lorem ipsum dolor sit amet',
  'How do volcanoes form?',
  '!!!',
  'the the the the',
];
