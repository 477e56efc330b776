import { expect, test } from 'vitest';
import { createAddressCheck } from '../../core/webhooks/resolve-host.ts';

const isPublic = createAddressCheck([]);

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '169.253.0.1',
  '198.20.0.1',
  '223.255.255.254',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
])('%s is public', (address) => {
  expect(isPublic(address)).toBe(true);
});

test.each([
  ['unspecified', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['loopback', '127.0.0.1'],
  ['loopback, last', '127.255.255.255'],
  ['private 10', '10.1.2.3'],
  ['private 172.16, last', '172.31.255.255'],
  ['private 192.168', '192.168.0.1'],
  ['shared, carrier-grade NAT', '100.64.0.1'],
  ['link-local, cloud metadata', '169.254.169.254'],
  ['IETF protocol', '192.0.0.192'],
  ['documentation 1', '192.0.2.1'],
  ['documentation 2', '198.51.100.1'],
  ['documentation 3', '203.0.113.1'],
  ['6to4 relay', '192.88.99.1'],
  ['benchmark', '198.18.0.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['Azure host', '168.63.129.16'],
  ['IPv6 unspecified', '::'],
  ['IPv6 loopback', '::1'],
  ['IPv4-compatible loopback', '::127.0.0.1'],
  ['IPv4-compatible public', '::8.8.8.8'],
  ['mapped loopback', '::ffff:127.0.0.1'],
  ['mapped metadata', '::ffff:a9fe:a9fe'],
  ['translated, RFC 6145', '::ffff:0:127.0.0.1'],
  ['NAT64 to private', '64:ff9b::10.0.0.1'],
  ['NAT64 of local use', '64:ff9b:1::8.8.8.8'],
  ['6to4 to loopback', '2002:7f00:1::'],
  ['6to4 to public', '2002:808:808::'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['unique local', 'fd00:ec2::254'],
  ['link-local', 'fe80::1'],
  ['link-local with zone', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['IPv6 multicast', 'ff02::1'],
  ['IPv6 documentation', '2001:db8::1'],
  ['IPv6 documentation, RFC 9637', '3fff::1'],
  ['IPv6 benchmark', '2001:2::1'],
  ['ORCHID', '2001:20::1'],
  ['discard', '100::1'],
  ['segment routing', '5f00::1'],
  ['never handed out', '4000::1'],
  ['short form', '127.1'],
  ['octal form', '010.0.0.1'],
  ['one number', '134744072'],
  ['a name', 'example.com'],
  ['nothing', ''],
])('%s (%s) is not public', (_what, address) => {
  expect(isPublic(address)).toBe(false);
});

test('a range of the operator opens exactly itself, also behind a mapped address', () => {
  const isAllowed = createAddressCheck(['10.1.0.0/16', 'fd00::/8']);
  expect(['10.1.2.3', '::ffff:10.1.2.3', 'fd12::1', '8.8.8.8'].map(isAllowed)).toEqual([true, true, true, true]);
  expect(['10.2.0.1', '127.0.0.1', '::1', '::10.1.2.3'].map(isAllowed)).toEqual([false, false, false, false]);
});

test('a range that is not CIDR notation is an error at once', () => {
  expect(() => createAddressCheck(['10.0.0.0'])).toThrow();
});
