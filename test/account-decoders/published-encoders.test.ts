import { Implementation, toMetaMaskSmartAccount } from '@metamask/smart-accounts-kit';
import { Calibur7702Account, SafeMultiChainSigAccountV1 } from 'abstractionkit';
import { toSafeSmartAccount } from 'permissionless/accounts';
import {
  type Address,
  createPublicClient,
  custom,
  encodeFunctionData,
  type Hex,
  parseAbi,
  slice,
  zeroAddress,
} from 'viem';
import { entryPoint07Address } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { sepolia } from 'viem/chains';
import { encodeExecuteBatchesData, encodeExecuteData } from 'viem/experimental/erc7821';
import { describe, expect, test } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { accountDecoders, detectAccount, findAccountDecoder } from '../../core/evm/account-decoders/find-decoder.ts';
import { encodeMultiSend, safe7579Setup } from '../support/accounts/account-kinds.ts';

const one = { to: `0x${'ab'.repeat(20)}`, value: 5n, data: '0x12345678aabb' } as const;
const two = { to: `0x${'cd'.repeat(20)}`, value: 0n, data: '0x' } as const;
const seenOne = { target: one.to, value: 5n, selector: '0x12345678', data: one.data };
const seenTwo = { target: two.to, value: 0n, data: '0x' };

const owner = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const sender: Address = `0x${'5e'.repeat(20)}`;

/** A chain on which nothing is deployed. */
const client = createPublicClient({
  chain: sepolia,
  transport: custom({ request: async ({ method }: { method: string }) => (method === 'eth_getCode' ? '0x' : '0x1') }),
});

function decode(name: string, callData: Hex, version: EntryPointVersion = '0.7') {
  return findAccountDecoder(name, '1.0.0')?.decode(callData, version);
}

function whyNot(name: string, callData: Hex, version: EntryPointVersion = '0.7') {
  const decoded = decode(name, callData, version);
  return decoded?.understood === false ? decoded.why : 'understood';
}

describe('what a published client encodes is read, by name and without', () => {
  const expectRead = (name: string, callData: Hex, calls: readonly object[], version: EntryPointVersion = '0.7') => {
    expect(decode(name, callData, version)).toEqual({ understood: true, calls });
    expect(detectAccount(accountDecoders, callData, version)).toEqual({ understood: true, calls });
  };

  test("MetaMask's kit: one call, and a batch", async () => {
    const account = await toMetaMaskSmartAccount({
      client,
      implementation: Implementation.Hybrid,
      address: sender,
      signer: { account: owner },
    });
    expectRead('METAMASK', await account.encodeCalls([one]), [seenOne]);
    expectRead('METAMASK', await account.encodeCalls([one, two]), [seenOne, seenTwo]);
  });

  test('permissionless: a Safe behind its launchpad, and once it is there', async () => {
    const account = await toSafeSmartAccount({
      client,
      owners: [owner],
      version: '1.4.1',
      entryPoint: { address: entryPoint07Address, version: '0.7' },
      address: sender,
      safe4337ModuleAddress: safe7579Setup.adapter,
      erc7579LaunchpadAddress: safe7579Setup.launchpad,
      attesters: [`0x${'77'.repeat(20)}`],
      attestersThreshold: 1,
    });
    expectRead('SAFE_7579', await account.encodeCalls([one]), [seenOne]);
    expectRead('SAFE_7579', await account.encodeCalls([one, two]), [seenOne, seenTwo]);
  });

  test('abstractionkit: a Safe whose signatures hold on several chains, and a Safe 1.5.0', () => {
    const calls = [one, two].map(({ to, value, data }) => ({ to, value, data }));
    const several = SafeMultiChainSigAccountV1.createAccountCallDataBatchTransactions(calls) as Hex;
    const read = { understood: true, calls: [seenOne, seenTwo] };
    for (const [safe, entryPoint] of [
      ['1.4.1', '0.9'],
      ['1.5.0', '0.7'],
    ] as const) {
      expect(findAccountDecoder('SAFE', safe)?.decode(several, entryPoint)).toEqual(read);
      expect(detectAccount(accountDecoders, several, entryPoint)).toEqual(read);
    }
  });

  test("abstractionkit: Uniswap's Calibur", () => {
    const calls = [one, two].map(({ to, value, data }) => ({ to, value, data }));
    for (const revertOnFailure of [true, false]) {
      const callData = Calibur7702Account.createAccountCallData(calls, revertOnFailure) as Hex;
      expectRead('CALIBUR', callData, [seenOne, seenTwo], '0.8');
    }
  });

  test('viem: ERC-7821, with opData where it is said to authorize and no more', () => {
    expectRead('ERC7821', encodeExecuteData({ calls: [one, two] }), [seenOne, seenTwo]);
    const withOpData = encodeExecuteData({ calls: [one, two], opData: `0x${'5a'.repeat(97)}` });
    expectRead('ERC7821_OP_DATA', withOpData, [seenOne, seenTwo]);
  });

  test('viem: ERC-7821 without opData, in the mode that takes some', () => {
    const callData = encodeExecuteData({ calls: [one, two] });
    const mode = '01000000000078210001'.padEnd(64, '0');
    const inOtherMode: Hex = `${slice(callData, 0, 4)}${mode}${callData.slice(74)}`;
    expectRead('ERC7821', inOtherMode, [seenOne, seenTwo]);
    expectRead('ERC7821_OP_DATA', inOtherMode, [seenOne, seenTwo]);
  });
});

describe('what an account would execute otherwise is not understood', () => {
  test('opData of an account of which no one says what it makes of it', () => {
    const callData = encodeExecuteData({ calls: [one], opData: '0x01' });
    expect(whyNot('ERC7821', callData)).toContain('opData');
  });

  test('a batch of batches, whatever is in it', () => {
    const callData = encodeExecuteBatchesData({ batches: [{ calls: [one] }, { calls: [two] }] });
    for (const name of ['ERC7821', 'ERC7821_OP_DATA']) expect(whyNot(name, callData)).toBe('it is a batch of batches');
    expect(detectAccount(accountDecoders, callData, '0.7').understood).toBe(false);
  });

  test('no target, which ERC-7821 and Calibur take for the account itself', () => {
    const calls = [one, { ...two, to: zeroAddress }];
    expect(whyNot('ERC7821', encodeExecuteData({ calls }))).toContain('no target');
    expect(whyNot('ERC7821_OP_DATA', encodeExecuteData({ calls, opData: '0x01' }))).toContain('no target');
    const calibur = Calibur7702Account.createAccountCallData(calls) as Hex;
    expect(whyNot('CALIBUR', calibur, '0.8')).toContain('no target');
    expect(detectAccount(accountDecoders, calibur, '0.8').understood).toBe(false);
  });

  test('no target, which MultiSend of Safe 1.5.0 takes for the Safe, and which Ambire skips', () => {
    const batch = (to: Address) => encodeMultiSend([{ target: to, value: 0n, data: '0x12345678' }]);
    const abi = parseAbi(['function executeUserOp(address to, uint256 value, bytes data, uint8 operation)']);
    const safe = (to: Address) =>
      findAccountDecoder('SAFE', '1.5.0')?.decode(
        encodeFunctionData({ abi, args: ['0x218543288004CD07832472D464648173c77D7eB7', 0n, batch(to), 1] }),
        '0.7',
      );
    expect(safe(one.to)).toMatchObject({ understood: true });
    expect(safe(zeroAddress)).toMatchObject({ understood: false, why: expect.stringContaining('no target') });
    const ambire = (to: Address) =>
      whyNot(
        'AMBIRE',
        encodeFunctionData({
          abi: parseAbi(['function executeBySender((address to, uint256 value, bytes data)[] calls)']),
          args: [[{ to, value: 0n, data: '0x12345678' }]],
        }),
      );
    expect(ambire(one.to)).toBe('understood');
    expect(ambire(zeroAddress)).toContain('no target');
  });

  test('a flag of Calibur that is neither true nor false', () => {
    const callData = Calibur7702Account.createAccountCallData([one], true) as Hex;
    // Behind the selector: where the batch is, where its calls are, the flag.
    const changed: Hex = `${slice(callData, 0, 4 + 3 * 32 - 1)}02${slice(callData, 4 + 3 * 32).slice(2)}`;
    expect(whyNot('CALIBUR', changed, '0.8')).toContain('a flag is neither true nor false');
  });

  test.each([
    ['a delegate call', '0xff', 'execution mode'],
    ['continuing after a failure', '0x0101', 'execution mode'],
    ['another selector', '0x01000000000078210003', 'execution mode'],
    ['a payload', `0x0100000000007821000100${'00'.repeat(20)}01`, 'execution mode'],
  ])('a mode of ERC-7821 with %s', (_, mode, why) => {
    const callData = encodeExecuteData({ calls: [one] });
    const changed: Hex = `0xe9ae5c53${mode.slice(2).padEnd(64, '0')}${callData.slice(74)}`;
    expect(whyNot('ERC7821', changed)).toContain(why);
    expect(whyNot('ERC7821_OP_DATA', changed)).toContain(why);
  });
});
