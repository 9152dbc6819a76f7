/** Questions, each with a text that answers it and no other. */
export const RELATED_PAIRS: readonly (readonly [question: string, answer: string])[] = [
  ['Who repaired the sink?', 'The plumber repaired the kitchen sink on Tuesday.'],
  ['When does the flight to Lisbon leave?', 'Our flight to Lisbon leaves at seven in the morning.'],
  ['What is she allergic to?', 'She has been allergic to peanuts since she was a child.'],
  ['How much did sales rise?', 'The quarterly report shows a rise in sales of nine percent.'],
  ['Which instrument does my brother play?', 'My brother plays the cello in a small orchestra.'],
  ['What is better about the new phone?', 'The new phone has a better camera than the old one.'],
  ['What color is the fence?', 'They painted the fence green before the rain came.'],
  ['Until when was the hearing postponed?', 'The court postponed the hearing until next month.'],
  ['What do I drink at breakfast?', 'I drink green tea with honey at breakfast.'],
  ['When does the library close early?', 'The library closes early during the summer.'],
  ['Where did he lose his keys?', 'He lost his keys somewhere in the park.'],
  ['How long have the volcanoes been quiet?', 'Volcanoes on the island have been quiet for decades.'],
  ['How many eggs does the recipe need?', 'The recipe needs two eggs and a cup of flour.'],
  ['How did our team win?', 'Our team won the match in extra time.'],
  ['Who built the old bridge?', 'The old bridge was built by the Romans.'],
  ['Where should the invoice be sent?', 'Please send the invoice to the accounting department.'],
];
