import { type BuiltInCategory } from '../category.js';

/** What a team knows of its customers. */
export const CRM: BuiltInCategory = {
  name: 'crm',
  prompt: `Keep what a sales and service team should know of the customers in this conversation.

Record companies, people, needs, agreements and next steps, each with the name of the company or person that it is about and
the date where one was given. Quote amounts, terms and deadlines exactly. Tell what the customer has said from what the team
believes. When the stage, the owner or the next step of a deal changes, the new state replaces the old one.

Leave out pleasantries, and private matters that the customer would not expect to find in such a file.`,
  tags: {
    Company: 'Name, industry, size, sites, structure.',
    Contacts: 'People, their positions, and how to reach them.',
    'Decision Makers': 'Who decides, who influences, and what each cares about.',
    Needs: 'Problems that they want solved, requirements.',
    Products: 'What they use, have bought or are interested in.',
    Deals: 'Opportunities with stage, value, owner and expected date.',
    'Pricing and Terms': 'Offers, discounts, contracts, renewals.',
    Competition: 'Rivals that they use or compare.',
    Objections: 'Doubts and obstacles, and how they were met.',
    Interactions: 'Meetings, calls and their results.',
    'Support Issues': 'Complaints, incidents and their state.',
    'Next Steps': 'Who has promised what, by when.',
    Satisfaction: 'Praise, criticism, references, risk of leaving.',
  },
};
