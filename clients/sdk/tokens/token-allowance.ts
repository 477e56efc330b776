import { type Address, type Client, encodeFunctionData, erc20Abi, hexToBigInt, maxUint256 } from 'viem';
import { call, readContract } from 'viem/actions';
import type { EncodedCall } from './encode-calls.ts';

/** Who lets whom take which token. */
export type AllowanceParties = { readonly token: Address; readonly owner: Address; readonly spender: Address };

/** An allowance as it stands on chain. */
export type TokenAllowance = AllowanceParties & {
  /** Base units of the token. */
  readonly amount: bigint;
  /** The token replaces no allowance but 0: it has to be set to 0 first. */
  readonly needsReset: boolean;
};

/**
 * Reads an allowance and, where there is one, asks the token whether it may be replaced, by calling `approve` without
 * sending it. Some tokens (USDT on Ethereum) revert, so that no one can spend both the old and the new one.
 */
export async function readTokenAllowance(client: Client, parties: AllowanceParties): Promise<TokenAllowance> {
  const { token, owner, spender } = parties;
  const amount = await readContract(client, {
    address: token,
    abi: erc20Abi,
    functionName: 'allowance',
    args: [owner, spender],
  });
  return { ...parties, amount, needsReset: amount > 0n && !(await takesApproval(client, parties)) };
}

/** Calls that make the allowance `amount`: none when it is as high already. */
export function approvalCalls(allowance: TokenAllowance, amount: bigint): readonly EncodedCall[] {
  if (allowance.amount >= amount) return [];
  const approve = approveCall(allowance, amount);
  return allowance.needsReset ? [approveCall(allowance, 0n), approve] : [approve];
}

function approveCall({ token, spender }: AllowanceParties, amount: bigint): EncodedCall {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] });
  return { to: token, data, value: 0n };
}

/**
 * No answer counts as true: not every token answers `approve`. Any failure counts as false, since nodes report reverts
 * in many ways: a needless approval of 0 only costs gas.
 */
async function takesApproval(client: Client, parties: AllowanceParties): Promise<boolean> {
  const { to, data } = approveCall(parties, maxUint256);
  try {
    const { data: answer = '0x' } = await call(client, { account: parties.owner, to, data });
    return answer === '0x' || hexToBigInt(answer) !== 0n;
  } catch {
    return false;
  }
}
