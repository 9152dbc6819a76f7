import { expect, test } from '@jest/globals';
import { IsInt, IsString, IsUrl, Max, Min } from 'class-validator';
import { IsEnvBoolean } from './is-env-boolean.js';
import { EnvError, loadEnv } from './load-env.js';

class Env {
  @IsEnvBoolean()
  SWITCH: boolean = true;

  @IsInt()
  @Min(0)
  @Max(65_535)
  PORT: number = 8080;

  @IsUrl({ require_tld: false, protocols: ['nats'], require_protocol: true })
  NATS_URL!: string;

  @IsString()
  NAME: string = 'loci';

  @IsInt()
  @Min(1)
  PAUSE_MS: number = 1_000;

  @IsInt()
  QUOTA: number = 10;
}

const NATS_URL = 'nats://127.0.0.1:4222';

test('reads variables, converts numbers and keeps defaults for absent and empty ones', () => {
  expect(loadEnv(Env, { NATS_URL, PORT: '9000', NAME: '' })).toMatchObject({
    PORT: 9000,
    NATS_URL,
    NAME: 'loci',
  });
});

test.each([
  [undefined, true],
  ['false', false],
  ['0', false],
  ['1', true],
])('a switch that is %s is %s', (text, expected) => {
  expect(loadEnv(Env, { NATS_URL, SWITCH: text }).SWITCH).toBe(expected);
});

test('a switch that is neither on nor off is refused, not guessed', () => {
  expect(() => loadEnv(Env, { NATS_URL, SWITCH: 'no' })).toThrow(/SWITCH/);
});

test('names every variable that does not fit, in one message', () => {
  const load = (): Env => loadEnv(Env, { PORT: 'many' });
  expect(load).toThrow(EnvError);
  expect(load).toThrow(/PORT.*NATS_URL/);
});

test('a blank variable is none: it is not 0', () => {
  expect(loadEnv(Env, { NATS_URL, PORT: '  ', QUOTA: '\t' })).toMatchObject({ PORT: 8080, QUOTA: 10 });
});

test('a time that no timer can wait for is refused, and so is a number that cannot be told from the next', () => {
  const monthMs = String(30 * 24 * 3_600_000);
  expect(() => loadEnv(Env, { NATS_URL, PAUSE_MS: monthMs })).toThrow(
    'Wrong environment: PAUSE_MS must not be greater than 2147483647.',
  );
  expect(() => loadEnv(Env, { NATS_URL, QUOTA: '1e300' })).toThrow(/QUOTA must not be greater/);
  expect(loadEnv(Env, { NATS_URL, PAUSE_MS: '2147483647', QUOTA: monthMs })).toMatchObject({
    PAUSE_MS: 2_147_483_647,
    QUOTA: Number(monthMs),
  });
});
