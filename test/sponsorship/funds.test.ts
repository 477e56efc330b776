import { describe, expect, test } from 'vitest';
import type { Result } from '../../core/domain/result/result.ts';
import { checkFunds } from '../../core/sponsorship/hold/check-funds.ts';
import { takeGasSoFar } from '../../core/sponsorship/sign/stub-paymaster-data.ts';
import { contract as address, chainId, entryPoint, numberedAddress } from '../support/core/ledger-lab.ts';
import { operationWith, takeStep } from '../support/core/step-lab.ts';

const wallet = numberedAddress(1);
const now = 1_800_000_000;

type Case = {
  readonly worstCase?: bigint;
  readonly fundingWallet?: typeof wallet | undefined;
  /** What the tank has, one look at the chain after the other. */
  readonly available?: readonly bigint[];
  /** What the contract keeps for the wallet; `unread` when the node does not tell. */
  readonly balance?: bigint | 'unread';
  readonly isSilent?: boolean;
};

async function check({ worstCase = 50n, available = [], balance, isSilent = false, ...rest }: Case) {
  const { fundingWallet } = { fundingWallet: wallet, ...rest };
  const left = [...available];
  const asked: object[] = [];
  let looks = 0;
  const watcher = {
    view: () => (isSilent ? undefined : { headTime: now, deposits: new Map([[address, 77n]]) }),
    faultOf: () => undefined,
    catchUp: async () => {
      looks += 1;
      throw new Error('the node is slow');
    },
  };
  const family = balance === undefined ? {} : { customerFunding: { balanceData: (of: string) => `balance of ${of}` } };
  const read = async (of: string, data: string) =>
    of === address && data === `balance of ${wallet}` && balance !== 'unread' ? balance : undefined;
  const { result, trace } = await takeStep(checkFunds as (request: never) => Promise<Result<object>>, {
    parts: {
      clock: { now: () => now * 1_000 },
      availableFunds: async (funds: object) => {
        asked.push(funds);
        return left.shift() ?? 0n;
      },
    },
    profile: { paymaster: { paymasterId: 'p', fundingWallet } },
    chain: { config: { chainId }, watcher, customerBalances: { read } },
    contract: { location: { address, chainId, entryPoint }, family },
    operation: operationWith(),
    worstCase,
  });
  return { answer: result.ok ? 'carried' : result.refusal.reason, asked, looks, trace };
}

describe('the gas tank', () => {
  test.each([
    [50n, 50n, 'carried'],
    [49n, 50n, 'INSUFFICIENT_FUNDS'],
    [1n, 0n, 'carried'],
    [0n, 0n, 'INSUFFICIENT_FUNDS'],
  ])('with %d wei and a worst case of %d: %s', async (available, worstCase, answer) => {
    expect((await check({ available: [available, available], worstCase })).answer).toBe(answer);
  });

  test('is said to have been looked at with the limits known so far', async () => {
    const checked = 'worst case 50 wei with the limits known so far';
    expect((await check({ available: [50n] })).trace).toMatchObject([{ rule: 'gas-tank', verdict: 'passed', checked }]);
  });

  test('is looked at once more after a look at the chain, whatever comes of that', async () => {
    expect(await check({ available: [49n, 50n] })).toMatchObject({ answer: 'carried', looks: 1 });
    expect(await check({ available: [50n] })).toMatchObject({ answer: 'carried', looks: 0 });
  });

  test('is that of the wallet at the contract, with what the chain says of both', async () => {
    const tank = { chainId, contract: address, wallet };
    const policy = { paymasterId: 'p', policyId: '' };
    const { sender, nonce } = operationWith();
    const plain = await check({ available: [50n] });
    expect(plain.asked).toEqual([{ tank, chainDeposit: 77n, policy, sender, nonce }]);
    const kept = await check({ available: [50n], balance: 33n });
    expect(kept.asked).toEqual([{ tank, chainDeposit: 77n, walletBalance: 33n, policy, sender, nonce }]);
  });

  test('is not asked without a wallet, while the chain is silent, or while the balance cannot be read', async () => {
    const none = { available: [50n, 50n] };
    expect(await check({ ...none, fundingWallet: undefined })).toMatchObject({
      answer: 'INSUFFICIENT_FUNDS',
      asked: [],
    });
    expect(await check({ ...none, isSilent: true })).toMatchObject({
      answer: 'CHAIN_UNAVAILABLE',
      asked: [],
      looks: 0,
    });
    expect(await check({ ...none, balance: 'unread' })).toMatchObject({ answer: 'CHAIN_UNAVAILABLE', asked: [] });
  });
});

test.each([
  ['those that were sent', { callGasLimit: 1n, verificationGasLimit: 2n, preVerificationGas: 3n }, [1n, 2n, 3n]],
  ['0 where none was', {}, [0n, 0n, 0n]],
])(
  'the limits known before an estimate are the paymaster’s own and %s',
  async (_, givenGas, [call, verification, pre]) => {
    const own = { paymasterVerificationGasLimit: 7n, paymasterPostOpGasLimit: 8n };
    const contract = { family: { paymasterGasLimits: () => own } };
    const { gas: __, ...operation } = operationWith();
    const { result } = await takeStep(takeGasSoFar, {
      chain: {},
      contract,
      operation,
      givenGas,
      signedTerms: { mode: 'SPONSORED' },
    });
    const gas = { callGasLimit: call, verificationGasLimit: verification, preVerificationGas: pre, ...own };
    expect(result).toEqual({ ok: true, value: { operation: { ...operation, gas } } });
  },
);
