import { expect, test } from '@jest/globals';
import { dialledBase, httpAddress } from './http-address.js';

const LABEL = 'a'.repeat(63);
const LONGEST = `${`${LABEL}.`.repeat(3)}${'a'.repeat(61)}`;

test.each([
  ['HTTPS://Hooks.Acme.Example', 'https://hooks.acme.example/'],
  ['https://hooks.acme.example:443/a b'.replace(' ', '%20'), 'https://hooks.acme.example/a%20b'],
  ['https://hooks.acme.example/a/../ü', 'https://hooks.acme.example/%C3%BC'],
  ['http://127.1:8000/x', 'http://127.0.0.1:8000/x'],
  ['http://[::1]:8000', 'http://[::1]:8000/'],
  ['http://localhost.:8000/', 'http://localhost.:8000/'],
  [`https://${LONGEST}/`, `https://${LONGEST}/`],
])('%j is the address %s', (text, href) => {
  expect(httpAddress(text)).toMatchObject({ href });
});

test.each([
  'nonsense',
  'ftp://host/',
  'http:host/x',
  'http:/host/x',
  'http:///host/x',
  'http:\\\\host\\x',
  'https://host/\r\nX: y',
  'https://ho\tst/',
  ' https://host/',
  'https://host/ ',
  'https://host/a b',
  'https://host/\u0000',
  'https://host/\u202ex',
  'https://host\ufeff/',
  'http://44.44.44.44\\@127.0.0.1',
  'https://host\\x',
  'https://host/?a=\\',
  'https://me@host/',
  'https://me:secret@host/',
  'https://host:99999/',
  'https://host..example/',
  `https://${LABEL}a.example/`,
  `https://a${LONGEST}/`,
])('%j is refused', (text) => {
  expect(httpAddress(text)).toMatch(/^Input should be an http\(s\) URL with a host/);
});

test.each([
  ['http://127.0.0.1:11434', 'http://127.0.0.1:11434'],
  ['http://127.0.0.1:11434/', 'http://127.0.0.1:11434/'],
  ['HTTPS://Api.Example:443/v1', 'https://api.example/v1'],
  ['http://0x7f.1/v1/', 'http://127.0.0.1/v1/'],
  ['http://2130706433', 'http://127.0.0.1'],
  ['http://44.44.44.44\\@127.0.0.1', 'http://44.44.44.44/@127.0.0.1'],
  ['nowhere', 'nowhere'],
])('%j is dialled as %s', (text, dialled) => {
  expect(dialledBase(text)).toBe(dialled);
});
