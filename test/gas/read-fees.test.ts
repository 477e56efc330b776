import { createPublicClient, custom, numberToHex } from 'viem';
import { describe, expect, test } from 'vitest';
import { highestPrices } from '../../core/gas/fees/gas-price-bounds.ts';
import { readFees } from '../../core/node/read-fees.ts';

/** A node that answers these methods and no others. */
function nodeWith(answers: Readonly<Record<string, unknown>>) {
  const request = async ({ method }: { method: string }) => {
    if (method in answers) return answers[method];
    throw Object.assign(new Error(`${method} does not exist`), { code: -32601 });
  };
  return createPublicClient({ transport: custom({ request }, { retryCount: 0 }), cacheTime: 0 });
}

const wei = (amount: number) => numberToHex(amount);
const history = {
  oldestBlock: wei(1),
  baseFeePerGas: [wei(90), wei(140), wei(100), wei(110)],
  gasUsedRatio: [0.5, 0.5, 0.5],
  reward: [[wei(9)], [wei(1)], [wei(4)]],
};
const head = { baseFeePerGas: 100n };

describe('what a chain asks for gas', () => {
  test('is the highest base fee of late and the tip that the node suggests', async () => {
    const client = nodeWith({ eth_feeHistory: history, eth_maxPriorityFeePerGas: wei(7) });
    expect(await readFees(client, head)).toEqual({ baseFee: 140n, suggestedTip: 7n });
  });

  test('without a suggestion, the median of what blocks paid', async () => {
    const client = nodeWith({ eth_feeHistory: history });
    expect(await readFees(client, head)).toEqual({ baseFee: 140n, suggestedTip: 4n });
  });

  test('without a history, the base fee of the latest block', async () => {
    const client = nodeWith({ eth_maxPriorityFeePerGas: wei(7) });
    expect(await readFees(client, head)).toEqual({ baseFee: 100n, suggestedTip: 7n });
  });

  test('without a base fee, the gas price', async () => {
    const client = nodeWith({ eth_gasPrice: wei(50) });
    expect(await readFees(client, { baseFeePerGas: null })).toEqual({ baseFee: 0n, suggestedTip: 50n });
  });

  describe('a tip that blocks paid', () => {
    const gasLimit = 30_000_000n;
    const paidIn = async (blocks: readonly (readonly [tip: number, gasUsedRatio: number])[]) => {
      const answer = {
        ...history,
        gasUsedRatio: blocks.map(([, ratio]) => ratio),
        reward: blocks.map(([tip]) => [wei(tip)]),
      };
      const client = nodeWith({ eth_feeHistory: answer, eth_maxPriorityFeePerGas: wei(7) });
      return (await readFees(client, { ...head, gasLimit })).paidTip;
    };

    test('is the highest that three of them paid for half their gas', async () => {
      expect(await paidIn([...Array(8).fill([3, 0.5]), [40, 0.5], [20, 0.5], [30, 0.5]])).toBe(20n);
    });

    test('is not raised by one block or two, whatever they paid', async () => {
      expect(await paidIn([...Array(8).fill([3, 0.5]), [10 ** 12, 1], [10 ** 12, 1]])).toBe(3n);
    });

    test('is read only in blocks that used five million gas', async () => {
      const enough = 5_000_000 / Number(gasLimit);
      expect(await paidIn(Array(3).fill([50, enough]))).toBe(50n);
      expect(await paidIn(Array(10).fill([50, enough - 1e-7]))).toBeUndefined();
    });

    test('is not known of empty blocks, where only the suggestion counts', async () => {
      expect(await paidIn(Array(10).fill([0, 0]))).toBeUndefined();
    });
  });

  test.each([[head], [{ baseFeePerGas: null }]])('is not known when the node tells nothing of it', async (block) => {
    await expect(readFees(nodeWith({}), block)).rejects.toThrow();
  });
});

describe('the highest prices that are signed', () => {
  const bounds = { maxBaseFeeMultiple: 1.25, maxTipMultiple: 1.5, minTip: 10n };

  test('count multiples to two decimals', () => {
    const fees = { baseFee: 1_000n, suggestedTip: 100n };
    expect(highestPrices(fees, bounds)).toEqual({ maxFeePerGas: 1_400n, maxPriorityFeePerGas: 150n });
  });

  test('follow the tip that blocks paid where it is above the suggestion, and the suggestion else', () => {
    const fees = { baseFee: 1_000n, suggestedTip: 100n };
    expect(highestPrices({ ...fees, paidTip: 300n }, bounds).maxPriorityFeePerGas).toBe(450n);
    expect(highestPrices({ ...fees, paidTip: 50n }, bounds).maxPriorityFeePerGas).toBe(150n);
  });

  test('let the smallest tip pass that the operator sets, and a hundredth of the base fee', () => {
    const quiet = { baseFee: 0n, suggestedTip: 0n };
    expect(highestPrices(quiet, bounds)).toEqual({ maxFeePerGas: 10n, maxPriorityFeePerGas: 10n });
    const withoutTips = { baseFee: 2_000n, suggestedTip: 0n };
    expect(highestPrices(withoutTips, bounds)).toEqual({ maxFeePerGas: 2_520n, maxPriorityFeePerGas: 20n });
  });
});
