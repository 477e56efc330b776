import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Address, encodeFunctionData, erc20Abi } from 'viem';
import { keepContents } from '../../decisions/request-record.ts';
import { accept } from '../../domain/result/result.ts';
import type { InnerCall } from '../../evm/account-decoders/decoder.ts';
import { bindsPaid } from '../../policies/rules/rule-on-token.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import { decodeCalls, type PaidCalls } from '../permit/decode-calls.ts';
import type { Asked } from '../run/asked.ts';
import type { Step } from '../run/steps.ts';
import { takenTokens } from './choose-tokens.ts';

type Needed = Asked & Identified & ReadOperation;

/** Decodes the calls of a paid operation if the policy binds them like those of a sponsored one. */
export const decodePaidCalls: Step<Needed, PaidCalls> = async (request) => {
  const { profile, context, draft } = request;
  if (!bindsPaid(profile.policy)) return accept({ paidCalls: undefined });
  const decoded = await decodeCalls({ ...request, account: context.smartAccountInfo });
  if (!decoded.ok) return decoded;
  const { calls } = decoded.value;
  const judged = calls.filter((call) => !isPaymentApproval(request, call));
  draft.calls = judged.map(({ target, selector }) => omitAbsent({ target, selector }));
  draft.contents = keepContents(judged);
  return accept({ paidCalls: { ...decoded.value, judged } });
};

/** An approval of the paymaster contract for an accepted token, of any amount: the user's own payment. */
function isPaymentApproval(request: Needed, { target, value, data }: InnerCall): boolean {
  if (value !== 0n || takenTokens(request).find(target) === undefined) return false;
  return data.length === approvalLength && data.startsWith(approvalOf(request.contract.location.address));
}

const amountDigits = 64;
const zeroAddress = '0x0000000000000000000000000000000000000000';
const approvalLength = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [zeroAddress, 0n] }).length;

/** An approval's data without its amount. */
function approvalOf(spender: Address): string {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 0n] });
  return data.slice(0, -amountDigits).toLowerCase();
}
