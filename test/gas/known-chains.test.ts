import * as chains from 'viem/chains';
import { describe, expect, test } from 'vitest';
import { feeModelOf, hasDollarCoin } from '../../core/domain/chain-config.ts';

type Listed = {
  readonly id: number;
  readonly nativeCurrency: { readonly symbol: string; readonly decimals: number };
};
const listed: readonly Listed[] = Object.values(chains as unknown as Record<string, Listed>);
const idsWith = (model: string) =>
  new Set(listed.map(({ id }) => id).filter((chainId) => feeModelOf({ chainId }) === model));

describe('the fee model of a chain', () => {
  test('is left to their oracle for the chains of the OP stack', () => {
    for (const { id } of [chains.base, chains.optimism, chains.unichain, chains.worldchain, chains.zora]) {
      expect(feeModelOf({ chainId: id })).toBeUndefined();
    }
  });

  test.each([
    ['scroll', [chains.scroll, chains.scrollSepolia]],
    ['mantle', [chains.mantle, chains.mantleSepoliaTestnet]],
    ['linea', [chains.linea, chains.lineaSepolia]],
    ['monad', [chains.monad, chains.monadTestnet]],
    ['arbitrum', [chains.arbitrum, chains.arbitrumNova, chains.arbitrumSepolia]],
  ])('is %s for its chains by the ids of viem, and for no other', (model, own) => {
    expect(idsWith(model)).toEqual(new Set(own.map(({ id }) => id)));
  });

  test('is the configured one where there is one', () => {
    expect(feeModelOf({ chainId: chains.mainnet.id })).toBeUndefined();
    expect(feeModelOf({ chainId: chains.base.id, dataFee: 'none' })).toBe('none');
    expect(feeModelOf({ chainId: 424_242, dataFee: 'op-stack' })).toBe('op-stack');
  });
});

test('a coin counts as a dollar only where viem says that it is one, with 18 decimals', () => {
  const dollars = listed.filter(({ id }) => hasDollarCoin(id));
  expect(new Set(dollars.map(({ id }) => id))).toEqual(new Set([100, 10_200, 5_042, 5_042_002]));
  for (const { nativeCurrency } of dollars) {
    expect(nativeCurrency.symbol).toMatch(/^(xdai|usdc)$/i);
    expect(nativeCurrency.decimals).toBe(18);
  }
});
