import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  type DecidedRequest,
  maxPackedRequest,
  packRequest,
  requestText,
  unpackRequest,
} from '../../core/decisions/request-record.ts';

const row = { table: 'decisions', id: '1' };
const sender = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const entryPoint = '0x0000000071727De22E5E9d8BAf0edAc6f37da032';
const request: DecidedRequest = {
  chainId: 8_453,
  userOperation: { sender, nonce: '0x1', callData: '0x', signature: '0x1234' },
  context: { sponsorshipInfoGiven: false, mode: 'SPONSORED' },
};

describe('the request of a decision', () => {
  test('is kept as it was asked', () => {
    const packed = packRequest('sponsorUserOperation', request);
    expect(JSON.parse(unpackRequest(packed ?? new Uint8Array(), row))).toEqual({
      method: 'pm_sponsorUserOperation',
      params: [request.userOperation, { mode: 'SPONSORED' }],
    });
    expect(JSON.parse(requestText('getPaymasterData', { ...request, entryPoint }))).toEqual({
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
    const text = requestText('getPaymasterData', {
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
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(JSON.parse(text)).toMatchObject({
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
    expect(requestText('relayUserOperation', request)).not.toContain('0x1234');
    expect(requestText('prepareRelay', request)).toContain('0x1234');
  });

  test.each([
    [
      'call data that cannot be packed',
      { callData: `0x${createHash('shake256', { outputLength: 5_000 }).digest('hex')}` },
    ],
    ['call data of zeros', { callData: `0x${'00'.repeat(20_000)}` }],
    ['a long field of another kind', { nonce: `0x${'0'.repeat(40_000)}` }],
  ])('is not kept with %s', (_, fields) => {
    expect(
      packRequest('getPaymasterData', { ...request, userOperation: { ...request.userOperation, ...fields } }),
    ).toBeNull();
  });

  test('never takes more than 4 kB, whatever the caller writes into its texts', () => {
    const smartAccountInfo = { name: createHash('shake256', { outputLength: 3_000 }).digest('base64'), version: '1' };
    const packed = packRequest('getPaymasterData', { ...request, context: { ...request.context, smartAccountInfo } });
    expect(packed?.length).toBeLessThanOrEqual(maxPackedRequest);
  });

  test('that was changed in the table is told, and does not fill the memory', () => {
    const bomb = Buffer.concat([Buffer.of(1), deflateRawSync(Buffer.alloc(1_000_000), { windowBits: 12 })]);
    for (const stored of [Buffer.of(2, 0), Buffer.of(1, 255), bomb]) {
      expect(() => unpackRequest(stored, row)).toThrow('The row 1 of the table decisions');
    }
  });

  test('that was stored by an earlier program is read: its dictionary is never changed', () => {
    const stored = 'ASMzpk3dklycjIwNTc3MLRLTUpOTjM3M0wyMjVIsjd3MTIzSzEwMLQwSE41RUgSolERJEhgBb2hkbEKB17F5EAA=';
    expect(unpackRequest(Buffer.from(stored, 'base64'), row)).toBe(
      requestText('getPaymasterData', { ...request, entryPoint }),
    );
  });
});
