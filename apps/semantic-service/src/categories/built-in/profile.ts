import { type BuiltInCategory } from '../category.js';

/** Who a person is, as it shows in what they say. */
export const PROFILE: BuiltInCategory = {
  name: 'profile',
  prompt: `Build up a lasting profile of the people who take part in the conversation.

Record what a thoughtful assistant would want to know months from now: who they are, whom and what they care about, how
they live and work, what they like, need, plan and fear. Take what people say of themselves, and what others say of them as
a matter of fact. Write each value as a complete statement that can be understood without the conversation. One fact, one
feature; a short noun phrase in snake case is its name.

Leave out small talk, what the assistant says of itself, guesses, and what will not matter tomorrow. When a fact has
changed, update it. When it was only said again, change nothing.`,
  tags: {
    Identity: 'Names, nicknames, pronouns, age, date and place of birth.',
    Contact: 'How to reach them: addresses, numbers, handles, preferred channels.',
    Location: 'Where they live, have lived, work or are staying, and their time zone.',
    Languages: 'Languages that they speak or learn, and how well.',
    'Nationality and Culture': 'Citizenship, origin, traditions that they keep.',
    Family: 'Partners, children, parents and other relatives, with their names and circumstances.',
    Friends: 'Friends and acquaintances and what connects them.',
    Relationships: 'Romantic life, conflicts, important people besides family and friends.',
    Pets: 'Animals that they have or had.',
    Home: 'Housing, household, rooms, neighbours, moving.',
    Education: 'Schools, degrees, courses, what they study.',
    Career: 'Occupation, employers, positions, past and wished-for jobs.',
    Colleagues: 'People whom they work with, and their roles.',
    Projects: 'What they are building or working on, at work or beside it.',
    Skills: 'What they can do well, certificates, tools that they master.',
    'Working Style': 'How they like to work, decide, organize themselves and be managed.',
    Finances: 'Income, savings, debts, budgets, insurance, attitude to money.',
    Possessions: 'Devices, vehicles and other things that they own or want.',
    Health: 'Conditions, allergies, medication, treatment, disabilities.',
    Fitness: 'Sports, training, sleep, physical goals.',
    Diet: 'What they eat and avoid, cooking, favourite food and drink.',
    'Mental Wellbeing': 'Moods that last, stress, what helps and what hurts.',
    Personality: 'Traits of character, temperament, humour.',
    Values: 'Principles, causes, what they find right and wrong.',
    Beliefs: 'Religion, philosophy, world view.',
    Politics: 'Political views and activities, as far as they tell them.',
    Hobbies: 'What they do for pleasure, and how often.',
    'Arts and Media': 'Music, films, books, games, shows that they like or dislike.',
    Technology: 'Software, platforms and set-ups that they use.',
    Travel: 'Journeys made and planned, how they like to travel.',
    Style: 'Clothes, design, aesthetics, brands.',
    Habits: 'Daily and weekly routines.',
    Goals: 'What they want to achieve, and by when.',
    'Plans and Events': 'Appointments, celebrations, deadlines that lie ahead.',
    'Life Events': 'What has happened to them that shaped their life.',
    'Dislikes and Fears': 'What they avoid, cannot stand, or worry about.',
    'Communication Preferences': 'How they want to be spoken to and answered: length, tone, form, language.',
  },
};
