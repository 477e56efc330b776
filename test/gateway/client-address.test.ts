import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createCallerAddress, createClientAddress } from '../../gateway/limits/caller-address.ts';
import { createRecordingLogger } from '../support/logging/recording-logger.ts';

function request(remoteAddress: string, forwarded?: string): IncomingMessage {
  return { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage;
}

describe('the address a request is counted under', () => {
  test.each<[string, readonly string[], string, string | undefined, string]>([
    ['is the socket’s, whatever the header says', [], '203.0.113.7', '1.2.3.4', '203.0.113.7'],
    ['is the socket’s when that is no trusted proxy', ['10.0.0.0/8'], '203.0.113.7', '1.2.3.4', '203.0.113.7'],
    ['is the last hop behind a trusted proxy', ['10.0.0.0/8'], '10.1.2.3', '6.6.6.6, 203.0.113.7', '203.0.113.7'],
    ['skips further trusted proxies', ['10.0.0.0/8'], '10.1.2.3', '203.0.113.7, 10.9.9.9', '203.0.113.7'],
    ['is the proxy when the header is no address', ['10.0.0.1'], '10.0.0.1', 'evil', '10.0.0.1'],
    ['is the proxy when there is no header', ['10.0.0.1'], '10.0.0.1', undefined, '10.0.0.1'],
    ['knows mapped IPv4', ['10.0.0.0/8'], '::ffff:10.1.2.3', '::ffff:203.0.113.7', '203.0.113.7'],
    ['is a hop behind any of several proxies', ['10.0.0.0/8', '192.0.2.1'], '192.0.2.1', '1.2.3.4', '1.2.3.4'],
    ['is the socket’s next to a trusted IPv4 address', ['10.0.0.1'], '10.0.0.2', '1.2.3.4', '10.0.0.2'],
    ['is a hop behind a trusted IPv6 address', ['2001:db8::1'], '2001:db8::1', '1.2.3.4', '1.2.3.4'],
    ['is the socket’s next to a trusted IPv6 address', ['2001:db8::1'], '2001:db8::2', '1.2.3.4', '2001:db8::/64'],
    ['is the socket’s of another kind than the proxies', ['10.0.0.0/8'], '2001:db8::2', '1.2.3.4', '2001:db8::/64'],
    ['is the farthest proxy when all are trusted', ['10.0.0.0/8'], '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['is looked for in the last 16 hops', ['10.0.0.0/8'], '10.0.0.1', `1.2.3.4${', 10.0.0.9'.repeat(16)}`, '10.0.0.9'],
    ['is found in the 16th', ['10.0.0.0/8'], '10.0.0.1', `1.2.3.4${', 10.0.0.9'.repeat(15)}`, '1.2.3.4'],
    ['is one for all whose socket tells none', ['10.0.0.0/8'], '', '1.2.3.4', 'unknown'],
    ['is a whole /64 of IPv6', [], '2001:db8:1:2:aaaa:bbbb:cccc:dddd', undefined, '2001:db8:1:2::/64'],
  ])('%s', (_rule, proxies, socket, header, expected) => {
    expect(
      createClientAddress(createCallerAddress(proxies, createRecordingLogger().logger))(request(socket, header)),
    ).toBe(expected);
  });

  test('a proxy that no one configured is a warning, once', () => {
    const { logger, lines } = createRecordingLogger();
    const addressOf = createClientAddress(createCallerAddress([], logger));
    addressOf(request('10.0.0.1'));
    expect(lines).toEqual([]);
    for (let times = 0; times < 3; times += 1) addressOf(request('10.0.0.1', '203.0.113.7'));
    expect(lines).toMatchObject([{ level: 'warn', fields: { address: '10.0.0.1' } }]);
    expect(lines[0]?.message).toContain('X-Forwarded-For is ignored');
    const behindProxy = createClientAddress(createCallerAddress(['10.0.0.0/8'], logger));
    behindProxy(request('10.0.0.1', '203.0.113.7'));
    expect(lines.length).toBe(1);
  });

  test('a range that is none is refused at start', () => {
    expect(() => createClientAddress(createCallerAddress(['not a range'], createRecordingLogger().logger))).toThrow();
  });
});
