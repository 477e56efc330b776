import { useCallback, useEffect, useRef, useState } from 'react';
import { type Allowance, type GetAllowanceParameters, getAllowance } from '../sponsor/get-allowance.ts';
import type { SponsorConnection } from '../sponsor/sponsor-connection.ts';
import { type EstimateTokenCostParameters, estimateTokenCost, type TokenCost } from '../tokens/estimate-token-cost.ts';
import { freeThenPaidText } from '../tokens/free-then-paid-text.ts';

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

export type UseAllowanceOptions = GetAllowanceParameters & {
  /** Polling interval in milliseconds; 30,000 by default, 0 for never. */
  readonly refreshMs?: number | undefined;
};

/** The state of an allowance: the last answer, which stays during polling, and the error since then. */
export type AllowanceState = {
  readonly allowance: Allowance | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Polls now, for example after sending an operation. */
  readonly refresh: () => Promise<void>;
};

type Known = Pick<AllowanceState, 'allowance' | 'error' | 'isLoading'>;

const nothing: Known = { allowance: undefined, error: undefined, isLoading: false };
const defaultRefreshMs = 30_000;

/**
 * What is left for the user of a ticket or for an account, kept up to date while the component is there. Without both nothing is
 * asked. An answer to a former question is never shown.
 *
 * @example
 * const { allowance } = useAllowance(client, { ticket });
 * return <p>{allowance?.operationsLeft} free transactions left</p>;
 */
export function useAllowance(client: SponsorConnection, options: UseAllowanceOptions): AllowanceState {
  const { ticket, sender, policyId, refreshMs = defaultRefreshMs } = options;
  const [known, setKnown] = useState(nothing);
  const question = useRef(0);

  const refresh = useCallback(async () => {
    if (ticket === undefined && sender === undefined) return;
    question.current += 1;
    const asked = question.current;
    setKnown((before) => ({ ...before, isLoading: true }));
    const answer = await getAllowance(client, { ticket, sender, policyId }).then(
      (allowance) => ({ allowance, error: undefined }),
      (error: unknown) => ({ error }),
    );
    if (asked === question.current) setKnown((before) => ({ ...before, ...answer, isLoading: false }));
  }, [client, ticket, sender, policyId]);

  useEffect(() => {
    setKnown(nothing);
    void refresh();
    const timer = refreshMs > 0 ? setInterval(() => void refresh(), refreshMs) : undefined;
    return () => {
      clearInterval(timer);
      question.current += 1;
    };
  }, [refresh, refreshMs]);

  return { ...known, refresh };
}
