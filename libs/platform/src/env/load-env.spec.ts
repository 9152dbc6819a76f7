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
