import { describe, expect, test } from 'vitest';
import { isInNetwork, isOriginPattern, matchesOrigin, parseNetwork } from '../../core/domain/api-key-rules.ts';

describe('an origin', () => {
  test.each([
    'https://app.example.com',
    'https://*.example.com',
    'https://*.example.com:8443',
    'http://localhost:5173',
    'http://[::1]:3000',
    'capacitor://localhost',
    'chrome-extension://abcdefghijklmnop',
  ])('can be %s', (text) => expect(isOriginPattern(text)).toBe(true));

  test.each([
    '*',
    'null',
    '',
    'https://app.example.com/',
    'https://app.example.com/path',
    'https://app.example.com:443',
    'https://APP.example.com',
    'https://user@app.example.com',
    'https://*.com',
    'https://*',
    'https://app.*.com',
    'https://bücher.example',
    'app.example.com',
    'https://app.example.com:99999',
  ])('cannot be %j', (text) => expect(isOriginPattern(text)).toBe(false));

  test.each([
    ['https://app.example.com', 'https://app.example.com', true],
    ['https://app.example.com', 'http://app.example.com', false],
    ['https://app.example.com', 'https://app.example.com:8443', false],
    ['https://app.example.com', 'https://app.example.com.evil.com', false],
    ['https://*.example.com', 'https://a.example.com', true],
    ['https://*.example.com', 'https://a.b.example.com', true],
    ['https://*.example.com', 'https://example.com', false],
    ['https://*.example.com', 'https://.example.com', false],
    ['https://*.example.com', 'https://evilexample.com', false],
    ['https://*.example.com', 'https://evil.com/.example.com', false],
    ['https://*.example.com', 'https://evil.com:1@a.example.com', false],
    ['https://*.example.com', 'https://a.example.com:8443', false],
    ['https://*.example.com', 'null', false],
  ])('%s is met by %s: %s', (pattern, origin, met) => expect(matchesOrigin(pattern, origin)).toBe(met));
});

describe('a network', () => {
  test.each([
    ['10.1.2.3', '10.1.2.3/32'],
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8::1', '2001:db8::1/128'],
    ['2001:db8::1/32', '2001:db8::/32'],
    ['::ffff:10.0.0.1', '10.0.0.1/32'],
    ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
  ])('%s is written %s', (sent, written) => expect(parseNetwork(sent)).toBe(written));

  test.each([
    '',
    '10.1',
    '010.0.0.1',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '::/129',
    'fe80::1%eth0',
    'x',
  ])('cannot be %j', (text) => expect(parseNetwork(text)).toBeUndefined());

  test.each([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.0.0.0/8', '::ffff:10.0.0.1', true],
    ['2001:db8::/32', '2001:db8:1::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['2001:db8::/32', '10.0.0.1', false],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['::/0', '10.0.0.1', false],
    ['10.0.0.0/8', 'unknown', false],
  ])('%s has %s: %s', (network, address, has) => expect(isInNetwork(network, address)).toBe(has));
});
