import { type Wire } from '../api/loci.js';
import { type Project } from '../projects/project.js';
import { type Session } from '../session/session.js';

/** The project that samples go to: within what the caller may reach. */
export const sampleProject = ({ org_id, project_id }: Pick<Session, 'org_id' | 'project_id'>): Project => ({
  org: org_id ?? 'demo',
  project: project_id ?? 'travel-agent',
});

type Message = Wire['MessageSpec'];

const said = (
  user: string,
  session: string,
  turns: readonly (readonly [role: string, content: string])[],
): Message[] =>
  turns.map(([role, content]) => ({
    content,
    role,
    producer: role === 'user' ? user : 'travel-agent',
    produced_for: role === 'user' ? 'travel-agent' : user,
    metadata: { user_id: user, session_id: session },
  }));

/** Two users who talk with a travel agent. */
export const SAMPLE: readonly Message[] = [
  ...said('alice', 'lisbon', [
    ['user', 'I want to see Lisbon in May. I always take a window seat, and I never fly at night.'],
    ['assistant', 'There is a direct flight at 10:40. Shall I book 14A, by the window?'],
    ['user', 'Yes, please. And I am vegetarian.'],
    ['assistant', 'Booked, with a vegetarian meal.'],
  ]),
  ...said('bob', 'oslo', [
    ['user', 'I am allergic to peanuts. Please tell the airline when you book Oslo.'],
    ['assistant', 'I have told them. You fly on Thursday, aisle seat 3C.'],
    ['user', 'My daughter Mia comes along. She is six.'],
  ]),
];
