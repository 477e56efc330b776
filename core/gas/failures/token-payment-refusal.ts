import type { Address } from 'viem';
import type { Refusal } from '../../domain/result/refusal.ts';
import type { RevertDetails } from './decode-failure.ts';

/** What is known of a payment that fails. Amounts in base units of the token. */
export type FailedPayment = {
  readonly token: { readonly address: Address; readonly symbol: string };
  readonly paymaster: Address;
  /** The most that the operation can cost. */
  readonly needed: bigint;
  /** What the sender owns, and has approved for the paymaster, when the tokens are to be taken. */
  readonly balance: bigint;
  readonly allowance: bigint;
  /** What the token, or else the paymaster, reverted with. */
  readonly revert: RevertDetails;
  /** The permit that came with the payment, and what the token reverts with when it gets it; undefined if it does not. */
  readonly permit?: { readonly value: bigint; readonly revert: RevertDetails | undefined };
};

/** The refusal of a payment that would fail, naming balance, allowance or the token's own revert, whichever it is. */
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
