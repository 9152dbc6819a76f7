import { expect, test } from '@jest/globals';
import { readOptions } from './options.js';

test('the data file is named itself, or by the folder, the data set and the split', () => {
  const named = ['--dataset', 'longmemeval', '--file', '/data/longmemeval_s.json'];
  expect(readOptions(named, {})).toMatchObject({ dataset: 'longmemeval', file: '/data/longmemeval_s.json' });
  expect(readOptions(['--data', '/data'], {}).file).toBe('/data/locomo-dev.json');
  expect(readOptions([], { BENCH_DATA: '/other' }).file).toBe('/other/locomo-dev.json');
  expect(readOptions(['--dataset', 'assistant'], {}).file).toMatch(/bench\/data\/assistant$/);
  expect(() => readOptions([], {})).toThrow('npm run bench:retrieval');
  expect(() => readOptions(['--dataset', 'other', '--data', '/data'], {})).toThrow('npm run bench:retrieval');
});

test('a configuration is an embedder, environment in upper case, and fields of every search', () => {
  const compared = [
    '--data',
    '/data',
    '--compare',
    'embedder=gte-small SEARCH_WEIGHT_TIME=0 expand_context=2',
  ];
  const [delivered, changed] = readOptions(compared, {}).configurations;
  expect(delivered).toEqual({ name: 'as delivered', embedder: 'local', env: {}, query: {} });
  expect(changed).toMatchObject({
    embedder: 'gte-small',
    env: { SEARCH_WEIGHT_TIME: '0' },
    query: { expand_context: 2 },
  });
});

test('a running product is not given another environment', () => {
  const running = ['--data', '/data', '--url', 'http://localhost:1', '--metrics', 'http://localhost:2'];
  expect(() => readOptions([...running, '--compare', 'SEARCH_WEIGHT_TIME=0'], {})).toThrow('running product');
  expect(readOptions([...running, '--compare', 'diversity=0.2'], {}).running?.url).toBe('http://localhost:1');
});
