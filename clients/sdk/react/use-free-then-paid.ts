import { useEffect, useState } from 'react';
import type { SponsorConnection } from '../sponsor/sponsor-connection.ts';
import { type EstimateTokenCostParameters, estimateTokenCost, type TokenCost } from '../tokens/estimate-token-cost.ts';
import { freeThenPaidText } from '../tokens/free-then-paid-text.ts';
import { type AllowanceState, type UseAllowanceOptions, useAllowance } from './use-allowance.ts';

export type UseFreeThenPaidOptions = UseAllowanceOptions & {
  /** The token for payment when nothing is free any more, and an operation's gas; without it no price is shown. */
  readonly payIn?: EstimateTokenCostParameters | undefined;
};

/** What is left for free, and the approximate price of an operation afterwards. `text` is empty while neither is known. */
export type FreeThenPaidState = AllowanceState & { readonly cost: TokenCost | undefined; readonly text: string };

/**
 * What is left for the user of a ticket or for an account, and about what the next operation costs in the user's token when nothing is:
 * the price is asked for again with the allowance. What `sponsorOrPay` does, told beforehand.
 *
 * @example
 * const { text } = useFreeThenPaid(client, { sender, payIn: { token: usdc, chainId, entryPointAddress, gas: 150_000n, feePerGas } });
 * return <p>{text}</p>; // 2 left, then about 0.03 USDC
 */
export function useFreeThenPaid(client: SponsorConnection, options: UseFreeThenPaidOptions): FreeThenPaidState {
  const { payIn, ...whose } = options;
  const state = useAllowance(client, whose);
  const { allowance } = state;
  const [cost, setCost] = useState<TokenCost | undefined>(undefined);
  const { token, chainId, entryPointAddress, gas, feePerGas } = payIn ?? {};

  useEffect(() => {
    if (!token || chainId === undefined || !entryPointAddress || gas === undefined || feePerGas === undefined) {
      setCost(undefined);
      return;
    }
    let isCurrent = true;
    const keep = (known: TokenCost | undefined) => {
      if (isCurrent) setCost(known);
    };
    // Without a price, none is shown.
    estimateTokenCost(client, { token, chainId, entryPointAddress, gas, feePerGas }).then(keep, () => keep(undefined));
    return () => {
      isCurrent = false;
    };
  }, [client, token, chainId, entryPointAddress, gas, feePerGas, allowance]);

  return { ...state, cost, text: freeThenPaidText(allowance?.operationsLeft, cost) };
}
