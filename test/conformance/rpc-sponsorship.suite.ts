import { describe, expect, test } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { incrementCall } from '../../server/dev/demo-operations.ts';
import {
  callRpc,
  givenLimits,
  messageOf,
  newOperation,
  refusalOf,
  resultOf,
  smartAccountInfo,
  sponsored,
} from '../support/interface/rpc-calls.ts';
import { expectFields } from './expect-fields.ts';
import type { RpcBench } from './rpc-bench.ts';

const versions: readonly EntryPointVersion[] = ['0.6', '0.7', '0.8'];
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Section 2.5 of the interface and what decisions 3 and 4 say about sponsorship. */
export function describeSponsorship({ service, url, paymaster }: RpcBench): void {
  const operation = (version: EntryPointVersion = '0.7') => newOperation(service().devnet, version);
  const sponsor = async (context: object, version: EntryPointVersion = '0.7') =>
    callRpc(url(version), [await operation(version), { ...sponsored, ...context }]);

  describe('2.5 sponsorship result', () => {
    test.each(versions)(
      'has MODE, paymasterAndData and three limits of the right types (EntryPoint %s)',
      async (version) => {
        const result = resultOf(await sponsor({ calculateGasLimits: true }, version));
        const parts = {
          paymaster: 'string',
          paymasterData: 'string',
          paymasterVerificationGasLimit: 'string',
          paymasterPostOpGasLimit: 'string',
        } as const;
        expectFields(
          result,
          {
            MODE: 'string',
            paymasterAndData: 'string',
            preVerificationGas: 'string',
            verificationGasLimit: 'number',
            callGasLimit: 'number',
          },
          { mode: 'string', validUntil: 'number', decisionId: 'string', ...(version === '0.6' ? {} : parts) },
        );
        expect([result.MODE, result.mode]).toEqual(['SPONSORED', 'SPONSORED']);
        expect(result.paymasterAndData).toMatch(new RegExp(`^${paymaster(version).address}[0-9a-f]+$`, 'i'));
        expect(result.preVerificationGas).toMatch(/^[1-9]\d*$/);
        expect(result.decisionId).toMatch(uuid);
      },
    );

    test('the parts of EntryPoint 0.7 and up are those of the packed form', async () => {
      const result = resultOf(await sponsor({}));
      const word = (quantity: unknown) => BigInt(String(quantity)).toString(16).padStart(32, '0');
      const packed = [
        String(result.paymaster).toLowerCase(),
        word(result.paymasterVerificationGasLimit),
        word(result.paymasterPostOpGasLimit),
        String(result.paymasterData).slice(2),
      ];
      expect(String(result.paymasterAndData).toLowerCase()).toBe(packed.join(''));
    });

    test('pm_sponsorUserOperation answers mode SPONSORED in the same form', async () => {
      const params = [await operation(), sponsored];
      const names = Object.keys(resultOf(await callRpc(url(), params)));
      expect(Object.keys(resultOf(await callRpc(url(), params, 'pm_sponsorUserOperation')))).toEqual(names);
    });
  });

  describe('decision 3: mode', () => {
    test('SPONSORSHIP is taken for SPONSORED', async () => {
      expect(resultOf(await sponsor({ mode: 'SPONSORSHIP' }))).toMatchObject({ mode: 'SPONSORED', MODE: 'SPONSORED' });
    });

    test('without mode the service sponsors when the policies allow it', async () => {
      expect(resultOf(await sponsor({ mode: undefined })).mode).toBe('SPONSORED');
    });

    test('without mode it answers with token quotes when the policies do not', async () => {
      const { devnet } = service();
      const stranger = await newOperation(devnet, '0.7', [{ ...incrementCall(devnet), to: devnet.tokenRecipient }]);
      const result = resultOf(await callRpc(url(), [stranger, { ...sponsored, mode: undefined }]));
      expect(result).toMatchObject({ mode: 'ERC20', MODE: 'ERC20', feeQuotes: expect.any(Array) });
    });

    test.each(['sponsored', 'FREE', 5])('mode %j is -32602', async (mode) => {
      const answer = await sponsor({ mode });
      expect(refusalOf(answer)).toEqual([400, -32602, 'INVALID_PARAMS']);
      expect(messageOf(answer)).toContain('mode');
    });

    test('pm_sponsorUserOperation needs a mode', async () => {
      const params = [await operation(), { ...sponsored, mode: undefined }];
      const answer = await callRpc(url(), params, 'pm_sponsorUserOperation');
      expect(refusalOf(answer)).toEqual([400, -32602, 'INVALID_PARAMS']);
    });
  });

  describe('decision 3: calculateGasLimits', () => {
    test('false: the limits given are signed and all three returned', async () => {
      const { preVerificationGas, ...numbers } = givenLimits;
      const expected = { ...numbers, preVerificationGas: String(preVerificationGas) };
      expect(resultOf(await sponsor({ calculateGasLimits: false }))).toMatchObject(expected);
    });

    test.each(['callGasLimit', 'verificationGasLimit', 'preVerificationGas'])(
      'false without %s is -32602 naming it',
      async (field) => {
        const answer = await callRpc(url(), [{ ...(await operation()), [field]: '0x' }, sponsored]);
        expect(refusalOf(answer)).toEqual([400, -32602, 'INVALID_PARAMS']);
        expect(messageOf(answer)).toContain(field);
      },
    );

    test.each([true, undefined])(
      '%s: the service estimates, whatever limits it is given',
      async (calculateGasLimits) => {
        const result = resultOf(await sponsor({ calculateGasLimits }));
        expect(result.callGasLimit).toBeLessThan(givenLimits.callGasLimit);
        expect(result.verificationGasLimit).toBeLessThan(givenLimits.verificationGasLimit);
      },
    );
  });

  describe('decision 3: expiryDuration', () => {
    test.each([
      [undefined, 300],
      [60, 60],
      [99.9, 99],
      [600, 600],
    ])('with %s seconds the signature lasts %i', async (expiryDuration, seconds) => {
      const { timestamp } = await service().devnet.client.getBlock();
      const latest = () => Math.max(Math.floor(Date.now() / 1000), Number(timestamp));
      const before = latest();
      const { validUntil } = resultOf(await sponsor({ expiryDuration }));
      // By the earlier clock no longer than the operator's maximum.
      const longest = Math.min(before, Number(timestamp)) + 600;
      expect(validUntil).toBeGreaterThanOrEqual(Math.min(before + seconds, longest));
      expect(validUntil).toBeLessThanOrEqual(latest() + seconds);
    });

    test.each([59, 1, 0, -5, 601, 1e12])('%s seconds is -32602 with the range', async (expiryDuration) => {
      const answer = await sponsor({ expiryDuration });
      expect(refusalOf(answer)).toEqual([400, -32602, 'INVALID_PARAMS']);
      expect(messageOf(answer)).toContain('expiryDuration (or validForSeconds) must be from 60 to 600 seconds');
    });

    test('validUntil of the answer is the one that is signed', async () => {
      const { paymasterData, validUntil } = resultOf(await sponsor({}));
      // Mode (1 byte), then validUntil (6 bytes).
      expect(Number.parseInt(String(paymasterData).slice(4, 16), 16)).toBe(validUntil);
    });

    test.each(['300', {}, true])('%j is -32602', async (expiryDuration) => {
      expect(refusalOf(await sponsor({ expiryDuration }))).toEqual([400, -32602, 'INVALID_PARAMS']);
    });
  });

  describe('decision 3: numbers of a user operation', () => {
    test.each([
      ['hex', '0x186a0'],
      ['hex with leading zeros', '0x000000186A0'],
      ['decimal text', '100000'],
      ['a JSON number', 100_000],
    ])('%s is read', async (_name, callGasLimit) => {
      const sent = { ...(await operation()), callGasLimit, nonce: '0x00' };
      expect(resultOf(await callRpc(url(), [sent, sponsored])).callGasLimit).toBe(100_000);
    });

    test.each([-1, 1.5, '-1', '0xzz', '1e3', ' 1', true, {}, '0x1'.padEnd(200, '0')])(
      '%j is -32602 naming the field',
      async (maxFeePerGas) => {
        const answer = await callRpc(url(), [{ ...(await operation()), maxFeePerGas }, sponsored]);
        expect(refusalOf(answer)).toEqual([400, -32602, 'INVALID_PARAMS']);
        expect(messageOf(answer)).toContain('maxFeePerGas');
      },
    );

    test('fields no one knows are ignored', async () => {
      const sent = { ...(await operation()), eip7702Auth: null, more: { deep: [1] } };
      resultOf(await callRpc(url(), [sent, { ...sponsored, more: 1 }]));
    });
  });

  describe('decision 4: mandatory parts', () => {
    test.each([
      ['sponsorshipInfo', { sponsorshipInfo: undefined }],
      ['smartAccountInfo', { sponsorshipInfo: { webhookData: {} } }],
      ['webhookData', { sponsorshipInfo: { webhookData: 'text', smartAccountInfo } }],
    ])('-32602 names %s for %j', async (field, context) => {
      const answer = await sponsor(context);
      expect(refusalOf(answer)).toEqual([400, -32602, 'INVALID_PARAMS']);
      expect(messageOf(answer)).toContain(field);
    });

    test('an absent webhookData is no mistake', async () => {
      resultOf(await sponsor({ sponsorshipInfo: { smartAccountInfo } }));
    });

    test.each<[EntryPointVersion, EntryPointVersion]>([
      ['0.6', '0.7'],
      ['0.7', '0.6'],
    ])('an operation in the form of EntryPoint %s is not for a paymaster of %s', async (form, version) => {
      const answer = await callRpc(url(version), [await operation(form), sponsored]);
      expect(refusalOf(answer)).toEqual([422, -32012, 'ENTRY_POINT_NOT_SUPPORTED']);
    });
  });
}
