import { expect, test } from 'vitest';
import { mergeContexts, withoutPayer } from '../../clients/sdk/sponsor/merge-contexts.ts';

const token = `0x${'11'.repeat(20)}`;
const ofAll = { ticket: 't', sponsorshipInfo: { webhookData: { user: 'u-1' } } } as const;

test('an operation that names a token keeps the ticket and the data for webhooks of all operations', () => {
  expect(mergeContexts(ofAll, { token })).toEqual({ ...ofAll, token });
});

test('a field of the operation wins, and one that is not set takes nothing away', () => {
  expect(mergeContexts(ofAll, { ticket: 'u', policyId: undefined })).toEqual({ ...ofAll, ticket: 'u' });
  const smartAccountInfo = { name: 'SAFE', version: '1.4.1' };
  const own = { sponsorshipInfo: { smartAccountInfo } };
  expect(mergeContexts(ofAll, own)?.sponsorshipInfo).toEqual({ ...ofAll.sponsorshipInfo, smartAccountInfo });
});

test('an operation that says who pays is not told otherwise by the context of all operations', () => {
  expect(mergeContexts({ ...ofAll, mode: 'SPONSORED' }, { token })).toEqual({ ...ofAll, token });
  expect(mergeContexts({ ticket: 't', token }, { mode: 'SPONSORED' })).toEqual({ ticket: 't', mode: 'SPONSORED' });
  expect(withoutPayer({ ticket: 't', token })).toEqual({ ticket: 't' });
});

test('either context alone stays as it is', () => {
  expect(mergeContexts(ofAll, undefined)).toEqual(ofAll);
  expect(mergeContexts(undefined, { token })).toEqual({ token });
  expect(mergeContexts(undefined, undefined)).toBeUndefined();
});
