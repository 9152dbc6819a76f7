/** A control that is reached by Tab, and what is done there: a key is pressed, or a text is typed over what it has. */
export type Step =
  | readonly [name: string, key: 'Enter' | 'Space' | 'ArrowDown']
  | readonly [name: string, typed: { readonly text: string }];

export const press = (name: string): Step => [name, 'Enter'];
const check = (name: string): Step => [name, 'Space'];
export const type = (name: string, text: string): Step => [name, { text }];

export interface Form {
  readonly view: string;
  readonly steps: readonly Step[];
  /** What the page says when it is done. */
  readonly says: string | RegExp;
}

/** What has to be there. */
interface Known {
  readonly org: string;
  /** Of a feature that says `window`. */
  readonly feature: string;
  /** Of a language model that answers. */
  readonly modelsUrl: string;
}

/** By what is done; each leaves to the next what that needs. */
export const formsOf = ({ org, feature, modelsUrl }: Known): Readonly<Record<string, Form>> => {
  const project = `/p/${org}/main`;
  return {
    'a project is made': {
      view: '/projects',
      steps: [press('New project'), type('Organization', org), type('Project', 'typed'), press('Create')],
      says: 'Nothing was said here yet',
    },
    'a key is made': {
      view: '/keys',
      steps: [press('New key'), type('Name', 'typed'), check('admin'), press('Make the key')],
      says: /^loci_\w+/,
    },
    'a key is rotated': {
      view: '/keys',
      steps: [
        press('Rotate typed'),
        ['The former secret stays valid for', 'ArrowDown'],
        press('Make a new secret'),
      ],
      says: /^loci_\w+/,
    },
    'a key is revoked': {
      view: '/keys',
      steps: [press('Revoke typed'), press('Revoke for good')],
      says: /^The key ends everywhere/,
    },
    'a webhook is made': {
      view: '/webhooks',
      steps: [
        press('New webhook'),
        type('Address', 'http://127.0.0.1:1/typed'),
        check('features.changed'),
        press('Make the webhook'),
      ],
      says: /^whsec_/,
    },
    'a webhook is disabled': {
      view: '/webhooks',
      steps: [press('http://127.0.0.1:1/typed'), press('Disable')],
      says: 'disabled',
    },
    'a model is registered': {
      view: '/models',
      steps: [
        press('Register: Language models'),
        ['Provider', 'ArrowDown'],
        type('Name here', 'typed in'),
        type('Model', 'gpt'),
        type('API key', 'any'),
        type('Address', modelsUrl),
        check('Learn with this model'),
        press('Register and try it'),
      ],
      says: 'The model answers: it is ready.',
    },
    'memory is configured': {
      view: '/memory',
      steps: [type('Seconds after which fewer are learned from', '297'), press('Save')],
      says: /^Updated: /,
    },
    'an organization is opened': {
      view: '/quotas',
      steps: [type('Organization', org), press('Open')],
      says: `What ${org} may use of the deployment, and what it uses.`,
    },
    'a quota is set': {
      view: `/quotas?org=${org}`,
      steps: [type('Keys', '19'), press('Save')],
      says: 'of 19',
    },
    'the audit is narrowed down': {
      view: '/audit',
      steps: [type('Operation', 'PUT /api/v2/quotas'), press('Apply')],
      says: 'PUT /api/v2/quotas',
    },
    'a sample is stored': {
      view: '/start',
      steps: [type('Organization', org), type('Project', 'sample'), press('Store the sample')],
      says: /^7 messages are stored/,
    },
    'a feature is corrected': {
      view: `${project}/features?id=${feature}`,
      steps: [press('Correct'), type('What it says', 'aisle'), press('Correct')],
      says: /^Corrected\./,
    },
    'a conflict is settled': {
      view: `${project}/conflicts`,
      steps: [press('This holds: Graz')],
      says: 'Nothing contradicts anything',
    },
    'a filter is written': {
      view: `${project}/episodes`,
      steps: [type('Filter', "producer_id='jon'"), press('Apply')],
      says: /1 message matches/,
    },
    'what matches is deleted': {
      view: `${project}/episodes?filter=producer_id%3D'jon'`,
      steps: [press('Delete what matches'), type('To delete them, type 1', '1'), press('Delete 1')],
      says: /^Deleted: 1 of 1/,
    },
    'a message is opened': {
      view: `${project}/episodes?filter=producer_id%3D'mira'`,
      steps: [press('Message of mira: details')],
      says: 'Why is it not found?',
    },
    'a user is opened': {
      view: `${project}/users`,
      steps: [type('Name of a user', 'mira'), press('Open')],
      says: 'As an agent gets it',
    },
    'a search is made': {
      view: `${project}/search`,
      // a field is sent by Enter, too
      steps: [type('Query', 'tea'), type('Hits', '1\n')],
      says: /^0\.\d{3}$/,
    },
    'memories are recalled': {
      view: `${project}/recall`,
      steps: [type('Query', 'tea'), press('Recall')],
      says: /^0\.\d{3}$/,
    },
    'what a project remembers is changed': {
      view: `${project}/settings`,
      steps: [check('Short-term memory'), type('Messages live at most', '30'), press('Save episodic memory')],
      says: /^What is stored already keeps its time/,
    },
    'a producer is trusted': {
      view: `${project}/settings`,
      steps: [type('Another producer', 'crm-*'), press('Trust'), press('Save semantic memory')],
      says: /^It counts for what is learned from now on/,
    },
    'a project is deleted': {
      view: `/p/${org}/typed/settings`,
      steps: [
        press('Delete this project'),
        type('To delete it, type typed', 'typed'),
        press('Delete for good'),
      ],
      says: `${org} / typed is deleted.`,
    },
    'a prompt is tried': {
      view: `${project}/ingestion`,
      steps: [
        press('Try a prompt'),
        type('Category', 'drinks'),
        type('Prompt', 'Look for what they drink.'),
        check('I drink tea.'),
        press('Ask the model'),
      ],
      says: 'What it would learn',
    },
  };
};
