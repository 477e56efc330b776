import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  decodeDecisionRecord,
  decodeRequest,
  encodeDecisionRecord,
  maxPacked,
} from '../../core/decisions/decision-record.ts';
import { type DecidedRequest, type StoredRequest, storedRequest } from '../../core/decisions/request-record.ts';

const sender = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const entryPoint = '0x0000000071727De22E5E9d8BAf0edAc6f37da032';
const request: DecidedRequest = {
  chainId: 8_453,
  userOperation: { sender, nonce: '0x1', callData: '0x', signature: '0x1234' },
  context: { sponsorshipInfoGiven: false, mode: 'SPONSORED' },
};

const reasons = { message: 'Refused.', trace: [] };

/** What is read of a request after it was stored with the reasons. */
function keep(stored: StoredRequest): string | undefined {
  const columns = encodeDecisionRecord(reasons, stored);
  expect(decodeDecisionRecord(columns, '1')).toEqual(reasons);
  expect(columns.reasons.length).toBeLessThanOrEqual(maxPacked);
  return decodeRequest(columns, '1');
}

describe('the request of a decision', () => {
  test('is kept as it was asked', () => {
    const stored = storedRequest('sponsorUserOperation', request);
    expect(stored).toEqual({
      method: 'pm_sponsorUserOperation',
      params: [request.userOperation, { mode: 'SPONSORED' }],
    });
    expect(keep(stored)).toBe(JSON.stringify(stored));
    expect(storedRequest('getPaymasterData', { ...request, entryPoint })).toEqual({
      method: 'pm_getPaymasterData',
      params: [request.userOperation, entryPoint, '0x2105', { mode: 'SPONSORED' }],
    });
  });

  test('holds nothing that could be used again', () => {
    const secrets = [
      'ticket-of-a-user',
      'card-number',
      'permit-signature',
      '0xr-of-authorization',
      '0xs-of-authorization',
    ];
    const stored = storedRequest('getPaymasterData', {
      ...request,
      entryPoint,
      userOperation: {
        ...request.userOperation,
        eip7702Auth: { address: sender, nonce: '0x5', r: secrets[3] ?? '', s: secrets[4] ?? '', yParity: '0x1' },
      },
      context: {
        sponsorshipInfoGiven: true,
        ticket: secrets[0] ?? '',
        webhookDataJson: JSON.stringify({ card: secrets[1] }),
        permit: { value: '5', deadline: '6', signature: secrets[2] ?? '' },
      },
    });
    for (const secret of secrets) expect(JSON.stringify(stored)).not.toContain(secret);
    expect(stored).toMatchObject({
      params: [
        { eip7702Auth: { address: sender, nonce: '0x5' } },
        entryPoint,
        '0x2105',
        {
          ticket: '[redacted]',
          permit: { value: '5', deadline: '6' },
          sponsorshipInfo: { webhookData: { redacted: true } },
        },
      ],
    });
  });

  test('has no signature of an operation that can land without a paymaster', () => {
    expect(JSON.stringify(storedRequest('relayUserOperation', request))).not.toContain('0x1234');
    expect(JSON.stringify(storedRequest('prepareRelay', request))).toContain('0x1234');
  });

  test.each([
    [
      'call data that cannot be packed',
      { callData: `0x${createHash('shake256', { outputLength: 5_000 }).digest('hex')}` },
    ],
    ['call data of zeros', { callData: `0x${'00'.repeat(20_000)}` }],
    ['a long field of another kind', { nonce: `0x${'0'.repeat(40_000)}` }],
  ])('is not kept with %s', (_, fields) => {
    const userOperation = { ...request.userOperation, ...fields };
    expect(keep(storedRequest('getPaymasterData', { ...request, userOperation }))).toBeUndefined();
  });

  test('never takes more than 5 kB, whatever the caller writes into its texts', () => {
    const smartAccountInfo = { name: createHash('shake256', { outputLength: 3_000 }).digest('base64'), version: '1' };
    const stored = storedRequest('getPaymasterData', { ...request, context: { ...request.context, smartAccountInfo } });
    expect(keep(stored)).toBe(JSON.stringify(stored));
  });

  test('that was changed in the table is told, and does not fill the memory', () => {
    const bomb = Buffer.concat([Buffer.of(3), deflateRawSync(Buffer.alloc(20_000_000), { windowBits: 12 })]);
    for (const reasons of [Buffer.of(2, 0), Buffer.of(3, 255), bomb]) {
      expect(() => decodeRequest({ reasons }, '1')).toThrow('The row 1 of the table decisions');
    }
  });

  test('that was stored is read: its dictionary is never changed', () => {
    const reasons = Buffer.from(
      'AwM1NGFFoV++Qm5+UapCZrECtKmfmqIHahgQVbBRkIdjdZSKUgtLU0E9RTJbvqZuSS5ORsaGpmbmFolpqclJxmbmaQbGRimWxm5mJkZpZiaGFgaJicYoLWRQrxGliYzREDU0MjahoCmIrcFXCwA=',
      'base64',
    );
    expect(decodeRequest({ reasons }, '1')).toBe(
      JSON.stringify(storedRequest('getPaymasterData', { ...request, entryPoint })),
    );
  });
});
