import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Address, encodeFunctionData, erc20Abi } from 'viem';
import { keepContents } from '../../decisions/request-record.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import { wholePercent } from '../../domain/user-share.ts';
import type { InnerCall } from '../../evm/account-decoders/decoder.ts';
import { listCalls } from '../../policies/rules/rule-on-calls.ts';
import { bindsPaid, offersTokenPayment } from '../../policies/rules/rule-on-token.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import { decodeCalls, type PaidCalls } from '../permit/decode-calls.ts';
import { type Asked, notedIfRefused, type Step, type UserPays } from '../run/steps.ts';
import type { Parallel } from '../sponsored-terms.ts';
import { takenTokens } from './choose-tokens.ts';

/** Starts mode `ERC20`: the user pays in a token, the sponsor's deposit advances the gas. */
export const beginTokenMode: Step<Asked, object> = ({ draft }) => {
  draft.mode = 'ERC20';
  draft.calls ??= [];
  return accept({});
};

/** Some contracts only sponsor. */
export const checkTakesTokens: Step<Asked & Identified, object> = notedIfRefused(
  { rule: 'mode', finding: ['mode', 'ERC20'] },
  ({ contract }) => {
    if (contract.family.modes.includes('ERC20')) return accept({});
    return refuse({
      reason: 'TOKEN_NOT_SUPPORTED',
      message: `Paymaster version ${contract.version} does not accept tokens; it only sponsors.`,
    });
  },
);

/**
 * Answers in token mode: the user pays the policy's share, or everything. If limits that count the rest are used up, and the
 * policy then lets users pay (`thenPayInToken`), the user pays everything.
 */
export async function payShareOrAll<Request extends Asked & Identified & Parallel, T>(
  request: Request,
  pay: (request: Request & UserPays) => Promise<Result<T>>,
): Promise<Result<T>> {
  const { policy } = request.profile;
  const approvedBy = new Set<string>();
  const shared = await pay({ ...request, approvedBy, userPercent: policy.userPaysPercent ?? wholePercent });
  if (shared.ok || policy.userPaysPercent === undefined || !offersTokenPayment(policy, shared.refusal)) return shared;
  // What the account may have signed already contains the rate of the share.
  if (request.parallel?.stubData !== undefined) return withTokenOffers(request, shared);
  return pay({ ...request, approvedBy, userPercent: wholePercent });
}

/**
 * A sponsorship's result; a refusal that the user may pay for names the accepted tokens, without a further question. The
 * trace mentions it with the remedy.
 */
export function withTokenOffers<T>(request: Asked & Identified, result: Result<T>): Result<T> {
  if (result.ok || !offersTokenPayment(request.profile.policy, result.refusal)) return result;
  const tokens = takenTokens(request).tokens.map(({ address, symbol, decimals }) => ({ address, symbol, decimals }));
  if (tokens.length === 0) return result;
  noteOffer(request, tokens);
  return refuse({ ...result.refusal, tokenOffers: tokens });
}

function noteOffer({ draft: { trace } }: Asked, tokens: NonNullable<Refusal['tokenOffers']>): void {
  const refused = trace.pop();
  if (refused === undefined) return;
  const names = tokens.map(({ symbol }) => symbol).join(', ');
  const offer = `The user can pay in a token instead (${names}).`;
  trace.push({ ...refused, remedy: [refused.remedy ?? [], offer].flat().join(' ') });
}

type Needed = Asked & Identified & ReadOperation;

/** Decodes the calls of a paid operation if the policy binds them like those of a sponsored one. */
export const decodePaidCalls: Step<Needed, PaidCalls> = async (request) => {
  const { profile, context, draft } = request;
  if (!bindsPaid(profile.policy)) return accept({ paidCalls: undefined });
  const decoded = await decodeCalls({ ...request, account: context.smartAccountInfo });
  if (!decoded.ok) return decoded;
  const { calls } = decoded.value;
  const judged = calls.filter((call) => !isPaymentApproval(request, call));
  if (decoded.value.areUnread === true) return accept({ paidCalls: { ...decoded.value, judged } });
  draft.calls = judged.map(({ target, selector }) => omitAbsent({ target, selector }));
  draft.listed = listCalls(profile.contracts, judged);
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
