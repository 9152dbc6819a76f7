import { type BuiltInCategory } from '../category.js';

/** What an analyst of a person's money has to know. */
export const FINANCIAL_ANALYST: BuiltInCategory = {
  name: 'financial_analyst',
  prompt: `Keep the financial picture of this client complete and up to date.

Record what they own, owe, earn, spend, aim at and fear, each with its amount, currency, date and source as far as they were
said. Tell facts from intentions and from opinions on markets, and keep figures as they were given: never compute, convert or
estimate. A newer figure for the same thing replaces the older one.

Never record numbers of accounts or cards, nor credentials. Leave out general market news that they did not relate to
themselves.`,
  tags: {
    'Client Profile': 'Age, family, residence, tax status, as far as they matter to money.',
    Income: 'Salaries, businesses, rents, pensions, and how steady they are.',
    Expenses: 'Regular and exceptional spending.',
    Assets: 'Cash, securities, real estate, companies and their values.',
    Liabilities: 'Mortgages, loans, guarantees, with terms and rates.',
    Portfolio: 'Positions, allocation, brokers, costs.',
    Goals: 'What the money is for, how much, and by when.',
    'Risk Profile': 'Tolerance, capacity, experience, reactions to losses.',
    'Investment Preferences': 'Sectors, instruments, ethics, exclusions.',
    Taxes: 'Situation, allowances, deadlines.',
    'Insurance and Estate': 'Cover, wills, beneficiaries.',
    Decisions: 'What was decided, when and why.',
    'Market Views': 'Their expectations and convictions.',
  },
};
