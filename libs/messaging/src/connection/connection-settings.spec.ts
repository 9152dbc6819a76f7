import { expect, test } from '@jest/globals';
import { inspect } from 'node:util';
import { connectionOptions, inboxOfProcess, withoutCredentials } from './connection-settings.js';

const name = 'test';

test('reaches every server of a cluster', () => {
  const { servers } = connectionOptions({ name, url: 'nats://a:4222, nats://b:4223' });
  expect(servers).toEqual(['a:4222', 'b:4223']);
});

test('hands over user and password, or a token', () => {
  expect(connectionOptions({ name, url: 'nats://me:p%40ss@a:4222' })).toMatchObject({
    user: 'me',
    pass: 'p@ss',
  });
  expect(connectionOptions({ name, url: 'nats://t0ken@a:4222' })).toMatchObject({ token: 't0ken' });
});

test('the answers for a user come to an inbox of its own, and those of NATS where no service may publish', () => {
  expect(inboxOfProcess({ user: 'gateway' })).toBe('_INBOX.gateway');
  expect(inboxOfProcess({ user: 'a.b' })).toBe('_INBOX.anyone');
  expect(inboxOfProcess({})).toBe('_INBOX.anyone');
  expect(connectionOptions({ name, url: 'nats://gateway:p@a:4222' }).inboxPrefix).toBe(
    '_INBOX.gateway.own.driver',
  );
  expect(connectionOptions({ name, url: 'nats://a.b:p@a:4222' })).not.toHaveProperty('inboxPrefix');
  expect(connectionOptions({ name, url: 'nats://t0ken@a:4222' })).not.toHaveProperty('inboxPrefix');
});

test('speaks TLS alone where a URL says so', () => {
  expect(connectionOptions({ name, url: 'tls://a:4222,tls://b:4222' })).toMatchObject({
    servers: ['a:4222', 'b:4222'],
    tls: {},
  });
  expect(connectionOptions({ name, url: 'nats://a:4222' })).not.toHaveProperty('tls');
});

test('never gives up reconnecting', () => {
  expect(connectionOptions({ name, url: 'nats://a:4222' }).maxReconnectAttempts).toBe(-1);
});

test('shows no secret in messages', () => {
  expect(withoutCredentials('nats://me:pass@a:4222,nats://token@b:4222')).toBe('nats://a:4222,nats://b:4222');
  expect(withoutCredentials('nats://me:pa/ss@a, t0ken@b:4222,nats:/t0ken@c')).toBe('nats://a,b:4222,nats:/c');
});

test('a malformed URL is an error that does not carry it', () => {
  const error = (): Error => {
    try {
      connectionOptions({ name, url: 'nats://a:4222,t0ken@b:x' });
    } catch (thrown) {
      return thrown as Error;
    }
    throw new Error('It was read.');
  };
  expect(inspect(error())).toContain('malformed');
  expect(inspect(error())).not.toContain('t0ken');
});
