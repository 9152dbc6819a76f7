/** Two statements about the same thing, and questions of how it is and how it was. */
export interface StatementPair {
  readonly older: string;
  readonly newer: string;
  readonly now: string;
  readonly past: string;
}

export const PAIRS: readonly StatementPair[] = [
  {
    older: 'I live in Lisbon, in a small flat near the river.',
    newer: 'We moved to Porto last weekend, the boxes are still everywhere.',
    now: 'Where do I live?',
    past: 'Where did I live before?',
  },
  {
    older: 'I work as a nurse at the city hospital.',
    newer: 'First day at my new job today, I am a school nurse now.',
    now: 'What is my job?',
    past: 'What was my job before?',
  },
  {
    older: 'I am a vegetarian, so no meat for me please.',
    newer: 'I eat fish and chicken again, my doctor asked me to.',
    now: 'What is my diet?',
    past: 'What was my diet before?',
  },
  {
    older: 'My phone number is 555 0142, call me any time.',
    newer: 'Please note my new phone number, it is 555 0199.',
    now: 'What is my phone number?',
    past: 'What was my old phone number?',
  },
  {
    older: 'I drive a red Fiat, it is ten years old.',
    newer: 'I sold the Fiat and bought an electric Kia.',
    now: 'Which car do I drive?',
    past: 'Which car did I drive before?',
  },
  {
    older: 'My boyfriend Tom and I cook together every Friday.',
    newer: 'Tom and I broke up, I am seeing Marc these days.',
    now: 'Who is my boyfriend?',
    past: 'Who was my previous boyfriend?',
  },
  {
    older: 'I go to the gym on Mondays and Thursdays.',
    newer: 'From now on I go to the gym on Saturdays only.',
    now: 'On which days do I go to the gym?',
    past: 'On which days did I go to the gym before?',
  },
  {
    older: 'My favourite coffee is a flat white with oat milk.',
    newer: 'I no longer like flat whites, I take my coffee black.',
    now: 'How do I take my coffee?',
    past: 'How did I take my coffee before?',
  },
  {
    older: 'Our cat Mimi sleeps on my desk all day.',
    newer: 'Mimi passed away in spring, we have a puppy called Bruno now.',
    now: 'Which pet do I have?',
    past: 'Which pet did I have before?',
  },
  {
    older: 'I am learning Italian with an app every evening.',
    newer: 'I gave up Italian and switched to Japanese lessons.',
    now: 'Which language am I learning?',
    past: 'Which language was I learning before?',
  },
  {
    older: 'My manager is Sandra, she started the team.',
    newer: 'Sandra left the company and Peter is my manager.',
    now: 'Who is my manager?',
    past: 'Who was my manager before?',
  },
  {
    older: 'I usually take the bus to the office.',
    newer: 'I cycle to the office since the bus line was closed.',
    now: 'How do I get to the office?',
    past: 'How did I get to the office before?',
  },
  {
    older: 'My email address is maria@oldmail.example.',
    newer: 'I changed my email address to maria@newmail.example.',
    now: 'What is my email address?',
    past: 'What was my previous email address?',
  },
  {
    older: 'I play the guitar in a band called Night Owls.',
    newer: 'I play the drums instead of the guitar, the band needed it.',
    now: 'Which instrument do I play?',
    past: 'Which instrument did I play originally?',
  },
  {
    older: 'I bank with Northern Savings, the branch is next door.',
    newer: 'My accounts are with Blue Bank since the summer.',
    now: 'Which bank am I with?',
    past: 'Which bank was I with before?',
  },
  {
    older: 'My laptop runs Windows, I never had anything else.',
    newer: 'I installed Linux on my laptop, Windows is gone.',
    now: 'Which operating system does my laptop run?',
    past: 'Which operating system did my laptop run before?',
  },
  {
    older: 'My dentist is Doctor Weiss on Main Street.',
    newer: 'Doctor Weiss retired, Doctor Lang is my dentist now.',
    now: 'Who is my dentist?',
    past: 'Who was my former dentist?',
  },
  {
    older: 'I smoke about ten cigarettes a day.',
    newer: 'I quit smoking, not one cigarette in three weeks.',
    now: 'Do I smoke?',
    past: 'How much did I smoke before?',
  },
  {
    older: 'I take my holidays at the sea, always in Greece.',
    newer: 'My holidays are in the mountains these days, the heat got too much.',
    now: 'Where do I take my holidays?',
    past: 'Where did I take my holidays before?',
  },
  {
    older: 'My daughter goes to the Hill Street kindergarten.',
    newer: 'My daughter started at Oak Primary School.',
    now: 'Which school does my daughter go to?',
    past: 'Where did my daughter go before school?',
  },
  {
    older: 'I get up at six every morning.',
    newer: 'I get up at eight, the early shift is over.',
    now: 'When do I get up?',
    past: 'When did I get up before?',
  },
  {
    older: 'We pay 900 euros of rent a month.',
    newer: 'The rent went up, we pay 1050 euros a month.',
    now: 'How much rent do we pay, my flatmates and I?',
    past: 'How much rent did we pay before, my flatmates and I?',
  },
  {
    older: 'My best friend is Julia, we talk every day.',
    newer: 'Julia and I do not talk any more, Nina is my best friend.',
    now: 'Who is my best friend?',
    past: 'Who was my best friend in the past?',
  },
  {
    older: 'I write my thesis about bees in cities.',
    newer: 'I changed the topic of my thesis, it is about moths.',
    now: 'What is the topic of my thesis?',
    past: 'What was the original topic of my thesis, earlier?',
  },
  {
    older: 'My blood pressure tablets are Ramipril, one a day.',
    newer: 'The doctor replaced Ramipril with Candesartan for my blood pressure.',
    now: 'Which tablets do I take for my blood pressure?',
    past: 'Which tablets did I take for my blood pressure before?',
  },
  {
    older: 'My hair is long and brown.',
    newer: 'I had my hair cut short and dyed it red.',
    now: 'What does my hair look like?',
    past: 'What did my hair look like before?',
  },
  {
    older: 'I am reading a novel by Ishiguro.',
    newer: 'Finished Ishiguro, I am reading a biography of Curie.',
    now: 'What am I reading?',
    past: 'What was I reading before?',
  },
  {
    older: 'Our wedding is planned for the tenth of June.',
    newer: 'We postponed the wedding to the second of September.',
    now: 'When is our wedding, my fiancé asks?',
    past: 'When was my wedding planned originally?',
  },
  {
    older: 'I have a subscription of the Daily Herald.',
    newer: 'I cancelled the Herald, I have a subscription of the Weekly Globe.',
    now: 'Which newspaper do I have a subscription of?',
    past: 'Which newspaper did I have a subscription of before?',
  },
  {
    older: 'I am allergic to nuts, so says the test.',
    newer: 'The new test says that I am allergic to milk and not to nuts.',
    now: 'What am I allergic to?',
    past: 'What did the earlier test say I am allergic to?',
  },
];

/** What the same person says besides. */
export const FILLERS: readonly string[] = [
  'The weather is awful today, rain since morning.',
  'Can you remind me to water the plants?',
  'I watched a film about penguins yesterday.',
  'What a long week, I need some sleep.',
  'We had pizza with the neighbours.',
  'The train was late again.',
  'I found a nice recipe for lentil soup.',
  'Could you summarise this article about solar panels?',
  'My back hurts from sitting too much.',
  'There was a concert in the park.',
  'I have to write a letter to the insurance.',
  'The neighbours are having a party.',
  'I bought tickets for the theatre.',
  'The printer is out of paper again.',
  "It was my sister's birthday on Sunday.",
  'I walked ten kilometres along the river.',
  'The kitchen tap is dripping.',
  'How do I remove a wine stain?',
  'My grandmother told me stories of the war.',
  'I lost my umbrella in the tram.',
];
