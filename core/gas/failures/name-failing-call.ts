import { omitAbsent } from '@tollfree/contract/omit-absent';
import { getAddress, type Hex, size } from 'viem';
import type { Refusal } from '../../domain/result/refusal.ts';
import type { InnerCall } from '../../evm/account-decoders/decoder.ts';
import { revertDetails } from './decode-failure.ts';

/** The first of an account's calls that fails. */
export type FailingCall = {
  /** Its place among the operation's calls, from 0. */
  readonly index: number;
  readonly call: InnerCall;
  readonly revertData: Hex;
  /** Wei that the account has before the call. */
  readonly balance: bigint;
  /** What the account has approved to the spender, in base units, if an approval succeeds only after one of 0; otherwise 0. */
  readonly allowanceInTheWay: bigint;
};

/** A failing call, the signature of its method if that is known, and how many calls the operation has. */
type NamedCall = { readonly failing: FailingCall; readonly signature: string | undefined; readonly callCount: number };

/**
 * The refusal of an operation whose call reverts, with the call by index, contract and method, and the cause where it is one of
 * these: the account lacks the coin that it sends, or approves over an allowance that has to be 0 first. An account may hide
 * the revert of its call, which then replaces the account's own.
 */
export function nameFailingCall(refusal: Refusal, { failing, signature, callCount }: NamedCall): Refusal {
  const { index, call, revertData } = failing;
  const target = getAddress(call.target);
  const { revert = 'none', revertData: data, ...own } = refusal.details ?? {};
  const isSilent = size(revertData) < 4;
  const shown = isSilent ? { revert, ...omitAbsent({ revertData: data }) } : revertDetails(revertData);
  const cause = findCause(failing);
  const how =
    shown.revert === 'none'
      ? `without a reason${cause ? '' : ', or needs more gas than is allowed'}`
      : `with ${shown.revert}`;
  const which = callCount === 1 ? '' : `calls[${index}], `;
  const what = describeMethod(call, signature);
  return {
    ...refusal,
    message: [`The operation's call reverts ${how}: ${which}${what} ${target}.`, ...(cause?.sentences ?? [])].join(' '),
    details: {
      ...own,
      ...shown,
      callIndex: index.toString(),
      target,
      ...omitAbsent({ selector: call.selector, method: signature, cause: cause?.name }),
    },
  };
}

/** What is called, before the address of its contract. */
function describeMethod({ selector, data }: FailingCall['call'], signature: string | undefined): string {
  if (selector !== undefined) return `${signature ?? `method ${selector}`} of`;
  return data === '0x' ? 'the transfer to' : 'the data for';
}

type Cause = { readonly name: 'lacks-coin' | 'allowance-not-zero'; readonly sentences: readonly string[] };

function findCause({ call, balance, allowanceInTheWay }: FailingCall): Cause | undefined {
  if (call.value > balance) {
    const sentences = [
      `It sends ${call.value} wei, and the account has ${balance}.`,
      'Send less, or fund the account first.',
    ];
    return { name: 'lacks-coin', sentences };
  }
  if (allowanceInTheWay === 0n) return undefined;
  return {
    name: 'allowance-not-zero',
    sentences: [
      `This token refuses to replace an allowance of ${allowanceInTheWay} base units.`,
      'Approve 0 first, in the same batch.',
    ],
  };
}
