import { expect, test } from '@jest/globals';
import { specEpisode } from '../../../test/spec-episode.js';
import { newestFitting } from './earlier-messages.js';

const said = (content: string) => specEpisode({ content });

test('of what came before as much is shown as fits, the newest first to be kept, in the sequence of time', () => {
  const earlier = ['first', 'second', 'third'].map(said);
  expect(newestFitting(earlier, 130).map(({ content }) => content)).toEqual(['second', 'third']);
  expect(newestFitting(earlier)).toEqual(earlier);
  expect(newestFitting(earlier, 10)).toEqual([]);
});
