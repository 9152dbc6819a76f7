import { expect, test } from '@jest/globals';
import { tooLarge, unavailable } from '@loci/contracts';
import { type TextRequest } from '@loci/models';
import { instant } from '../../test/replica.js';
import { type Episode } from '../episodes/episode.js';
import { Summarizer } from './summarizer.js';
import { maxWords } from './summary-prompt.js';
import { windowChars } from './window-chars.js';

interface Asked {
  readonly summary: string;
  readonly messages: readonly { readonly content: string }[];
}

const episode = (content: string): Episode => ({
  uid: content,
  content,
  producerId: 'ann',
  producerRole: '',
  producedForId: '',
  metadata: {},
  createdAt: instant('2024-01-01T00:00:00Z'),
});

/** A model that reads so many characters of messages, and repeats what it knows. */
const modelReading = (maxChars: number) => {
  const asked: string[][] = [];
  const generateText = ({ messages }: TextRequest): Promise<{ text: string }> => {
    const { summary, messages: given } = JSON.parse(messages.at(-1)?.content ?? '{}') as Asked;
    const contents = given.map(({ content }) => content);
    if (contents.join('').length > maxChars) {
      return Promise.reject(tooLarge('model_input_too_long', 'Too long.'));
    }
    asked.push(contents);
    return Promise.resolve({ text: ` ${[summary, ...contents].filter((text) => text).join(' ')} ` });
  };
  return { asked, generateText };
};

test('the former summary and the episodes make the new one', async () => {
  const model = modelReading(1_000);
  expect(await new Summarizer(model, 1_000).extend('before', [episode('a'), episode('b')])).toBe(
    'before a b',
  );
});

test('what is too long for the model goes in by halves, in sequence, none left out', async () => {
  const model = modelReading(2);
  const episodes = ['a', 'b', 'c', 'd', 'e'].map(episode);
  expect(await new Summarizer(model, 1_000).extend('', episodes)).toBe('a b c d e');
  expect(model.asked.flat()).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('one message that is too long is shortened until it fits; a failure of another kind is passed on', async () => {
  const model = modelReading(250);
  expect(await new Summarizer(model, 4_000).extend('', [episode('x'.repeat(900))])).toBe('x'.repeat(225));
  const down = { generateText: () => Promise.reject(unavailable('language_model_unavailable', 'Down.')) };
  await expect(new Summarizer(down, 100).extend('', [episode('a')])).rejects.toMatchObject({
    code: 'language_model_unavailable',
  });
});

test('a summary never takes more than half of the window, nor the window more than the capacity', async () => {
  const model = modelReading(10_000);
  const text = await new Summarizer(model, 100).extend('', [episode('y'.repeat(500))]);
  expect(text).toHaveLength(50);
  expect([windowChars(100, ''), windowChars(100, 'y'.repeat(30)), windowChars(100, text)]).toEqual([
    100, 70, 50,
  ]);
});

test.each([
  [500, 100],
  [1_600, 100],
  [1_601, 200],
  [64_000, 4_000],
])('a window of %i characters allows %i words', (chars, words) => {
  expect(maxWords(chars)).toBe(words);
});
