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

  test.each([[head], [{ baseFeePerGas: null }]])('is not known when the node tells nothing of it', async (block) => {
    await expect(readFees(nodeWith({}), block)).rejects.toThrow();
  });
});

test('the highest prices count multiples to two decimals, and always let the smallest tip pass', () => {
  const bounds = { maxBaseFeeMultiple: 1.25, maxTipMultiple: 1.5, minTip: 10n };
  const fees = { baseFee: 1_000n, suggestedTip: 100n };
  expect(highestPrices(fees, bounds)).toEqual({ maxFeePerGas: 1_400n, maxPriorityFeePerGas: 150n });
  const quiet = { baseFee: 0n, suggestedTip: 0n };
  expect(highestPrices(quiet, bounds)).toEqual({ maxFeePerGas: 10n, maxPriorityFeePerGas: 10n });
});
