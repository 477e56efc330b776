import { describe, expect, test } from 'vitest';
import { readWebhookAnswer } from '../../core/webhooks/webhook-outcome.ts';

const text = '{"arePoliciesVerified":true}';
const read = (status: number, contentEncoding?: string) => readWebhookAnswer({ status, contentEncoding, text });

describe('an answer of a webhook', () => {
  test.each([200, 201, 299])('with status %i counts', (status) => {
    expect(read(status)).toEqual({ kind: 'approved' });
  });

  test.each([429, 500, 503, 599, 600])('with status %i is an outage', (status) => {
    expect(read(status)).toEqual({ kind: 'unavailable', problem: `answered ${status}`, outage: true });
  });

  test.each([199, 400, 428, 430, 499])('with status %i is a mistake', (status) => {
    expect(read(status)).toEqual({ kind: 'unavailable', problem: `answered ${status}`, outage: false });
  });

  test.each([300, 302, 399])('with status %i is a redirect that are not followed', (status) => {
    const problem = `answered ${status}, and redirects are not followed`;
    expect(read(status)).toEqual({ kind: 'unavailable', problem, outage: false });
  });

  test.each(['identity', 'Identity'])('with content-encoding %s is as it is', (encoding) => {
    expect(read(200, encoding)).toEqual({ kind: 'approved' });
  });

  test('that refuses may say why: one line of text, cut where it is too long', () => {
    const refusedWith = (reason: unknown) =>
      readWebhookAnswer({
        status: 200,
        contentEncoding: undefined,
        text: JSON.stringify({ arePoliciesVerified: false, reason }),
      });
    expect(refusedWith('Members only.')).toEqual({ kind: 'refused', reason: 'Members only.' });
    expect(refusedWith('a\n\u202eb\u0000 c')).toEqual({ kind: 'refused', reason: 'a b c' });
    expect(refusedWith('x'.repeat(5_000))).toEqual({ kind: 'refused', reason: 'x'.repeat(200) });
    for (const none of [undefined, 7, '', ' \n', { text: 'x' }]) expect(refusedWith(none)).toEqual({ kind: 'refused' });
  });

  test('with another content-encoding is a mistake', () => {
    expect(read(200, 'gzip')).toEqual({
      kind: 'unavailable',
      problem: 'answered with a content-encoding although none was offered',
      outage: false,
    });
  });
});
