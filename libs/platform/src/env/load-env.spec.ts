import { expect, test } from '@jest/globals';
import { IsInt, IsString, IsUrl, Max, Min } from 'class-validator';
import { EnvError, loadEnv } from './load-env.js';

class Env {
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

test('names every variable that does not fit, in one message', () => {
  const load = (): Env => loadEnv(Env, { PORT: 'many' });
  expect(load).toThrow(EnvError);
  expect(load).toThrow(/PORT.*NATS_URL/);
});
