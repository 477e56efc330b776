import type { Address } from 'viem';
import type { Refusal } from '../../domain/result/refusal.ts';
import type { RevertDetails } from './decode-failure.ts';

/** Details of a failing payment. Amounts in base units of the token. */
export type FailedPayment = {
  readonly token: { readonly address: Address; readonly symbol: string };
  readonly paymaster: Address;
  /** The most that the operation can cost. */
  readonly needed: bigint;
  /** The sender's balance, and its allowance for the paymaster, at the time of payment. */
  readonly balance: bigint;
  readonly allowance: bigint;
  /** The revert of the token, or else of the paymaster. */
  readonly revert: RevertDetails;
  /** The permit that came with the payment, and the token's revert on it; undefined if it succeeds. */
  readonly permit?: { readonly value: bigint; readonly revert: RevertDetails | undefined };
};

/** The refusal of a payment that would fail. It names the balance, the allowance or the token's own revert. */
export function tokenPaymentRefusal(failed: FailedPayment): Refusal {
  const { token, paymaster, needed, balance, allowance, revert, permit } = failed;
  const common = {
    token: token.address,
    needed: needed.toString(),
    balance: balance.toString(),
    allowance: allowance.toString(),
  };
  const most = `the operation can cost up to ${needed}`;
  if (balance < needed) {
    return fails(`The sender has ${balance} base units of ${token.symbol} when they are collected; ${most}.`, {
      ...common,
      lacks: 'balance',
    });
  }
  if (allowance < needed && permit?.revert !== undefined) {
    const { revert: why } = permit.revert;
    return fails(
      `${token.symbol} does not accept the permit and reverts with ${why}. Sign it for the spender ${paymaster} with the sender’s current nonce of the token.`,
      { ...common, lacks: 'allowance', ...permit.revert },
    );
  }
  if (allowance < needed && permit !== undefined && permit.value < needed) {
    return fails(
      `The permit is for ${permit.value} base units of ${token.symbol}; ${most}. Have the user sign one for that much.`,
      { ...common, lacks: 'allowance', permitted: permit.value.toString() },
    );
  }
  if (allowance < needed) {
    return fails(
      `The sender has approved ${allowance} base units of ${token.symbol} for the paymaster ${paymaster}; ${most}.`,
      { ...common, lacks: 'allowance' },
    );
  }
  return fails(`${token.symbol} cannot be collected from the sender. The transfer reverts with ${revert.revert}.`, {
    ...common,
    ...revert,
  });
}

function fails(message: string, details: Readonly<Record<string, string>>): Refusal {
  return { reason: 'TOKEN_PAYMENT_FAILS', message, details };
}
