import type { DecisionMethod } from '../domain/decision.ts';
import type { PaymasterDataRequest } from '../domain/paymaster-data.ts';
import type { Refusal, RefusalReason } from '../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { RawUserOperation } from '../domain/user-operation.ts';
import { bindsPaid } from '../policies/rules/rule-on-token.ts';
import { answerData, answerStub } from './answer-paymaster-data.ts';
import { readMode, readSmartAccountInfo } from './identify/field-readers.ts';
import { type Begun, begin, beginAt, payInTokens, prepareToRelay, quoteInTokens, relay, sponsor } from './pipeline.ts';
import type { UndecidedRelay, UndecidedTerms } from './relay/hand-over.ts';
import type { Asked } from './run/steps.ts';
import type { UndecidedSignature } from './sign/sign-paymaster-data.ts';
import { takenTokens } from './tokens/choose-tokens.ts';
import type { UndecidedQuotes } from './tokens/quote-tokens.ts';
import { payShareOrAll, withTokenOffers } from './tokens/token-mode.ts';

/** `pm_sponsorUserOperation` in the interface's form: signs in the mode that the request names. */
async function sponsorOrCharge(asked: Asked): Promise<Result<UndecidedSignature>> {
  const begun = await begin.run(asked);
  if (!begun.ok) return begun;
  const mode = readMode(asked.context.mode);
  if (!mode.ok) return mode;
  if (mode.value === undefined) {
    return refuse({ reason: 'INVALID_PARAMS', message: 'mode must be SPONSORED or ERC20', field: 'mode' });
  }
  if (mode.value === 'ERC20') {
    const paid = await payShareOrAll(begun.value, payInTokens.run);
    return paid.ok ? accept(paid.value.answer) : paid;
  }
  const account = readSmartAccountInfo(asked.context);
  if (!account.ok) return account;
  const sponsored = withTokenOffers(begun.value, await sponsor.run({ ...begun.value, account: account.value }));
  return sponsored.ok ? accept(sponsored.value.answer) : sponsored;
}

/** `eth_sendUserOperation` of an operation without fees and without a paymaster: it is final and signed by its account. */
async function relayOperation(
  asked: Asked & { readonly request: PaymasterDataRequest },
): Promise<Result<UndecidedRelay>> {
  const begun = await beginAt.run(asked);
  if (!begun.ok) return begun;
  const context = { ...asked.context, calculateGasLimits: false };
  const relayed = await relay.run({ ...begun.value, context, account: context.smartAccountInfo });
  return relayed.ok ? accept(relayed.value.answer) : relayed;
}

/** `tollfree_prepareRelay`: a draft may still have fees and paymaster fields, unlike the operation to relay. */
async function prepareRelayOf(
  asked: Asked & { readonly request: PaymasterDataRequest },
): Promise<Result<UndecidedTerms>> {
  const { request, context } = asked;
  const free = { ...request.userOperation, maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' };
  const begun = await beginAt.run({ ...asked, request: { ...request, userOperation: withoutPaymaster(free) } });
  if (!begun.ok) return begun;
  const estimated = { ...context, calculateGasLimits: true };
  const prepared = await prepareToRelay.run({ ...begun.value, context: estimated, account: context.smartAccountInfo });
  return prepared.ok ? accept(prepared.value.answer) : prepared;
}

function withoutPaymaster({
  paymasterAndData: _,
  paymaster: __,
  paymasterData: ___,
  paymasterVerificationGasLimit: ____,
  paymasterPostOpGasLimit: _____,
  ...operation
}: RawUserOperation): RawUserOperation {
  return operation;
}

/** The sponsor's policy refusals after which a request without a mode gets token quotes. */
const policyReasons: ReadonlySet<RefusalReason> = new Set([
  'NO_POLICIES',
  'CONTRACT_NOT_REGISTERED',
  'METHOD_NOT_WHITELISTED',
  'CALL_NOT_UNDERSTOOD',
  'ACCOUNT_NOT_KNOWN',
  'SENDER_BLOCKED',
  'LIMIT_EXCEEDED',
  'WEBHOOK_REFUSED',
  'WEBHOOK_UNAVAILABLE',
]);

/** `pm_getFeeQuoteOrData` (interface 4.5). Without a mode: sponsored if the policies allow it, else token quotes. */
async function quoteOrSponsor(asked: Asked): Promise<Result<UndecidedSignature | UndecidedQuotes>> {
  const begun = await begin.run(asked);
  if (!begun.ok) return begun;
  const { context } = asked;
  const mode = readMode(context.mode);
  if (!mode.ok) return mode;
  if (mode.value === 'ERC20') return quoteInTokens(begun.value);
  if (mode.value === undefined && wantsTokens(begun.value)) return quoteInTokens(begun.value);
  const account = readSmartAccountInfo(context);
  if (!account.ok) return account;
  const sponsored = withTokenOffers(begun.value, await sponsor.run({ ...begun.value, account: account.value }));
  if (sponsored.ok) return accept(sponsored.value.answer);
  if (mode.value === 'SPONSORED' || !mayPay(begun.value, sponsored.refusal)) return sponsored;
  if (takenTokens(begun.value).tokens.length === 0) return sponsored;
  return quoteInTokens({ ...begun.value, context: { ...context, tokenInfo: context.tokenInfo ?? {} } });
}

/** If the policy lets users pay for what its limits refuse, they cannot pay for its other refusals. */
function mayPay({ profile }: Begun, { reason, tokenOffers }: Refusal): boolean {
  return bindsPaid(profile.policy) ? tokenOffers !== undefined : policyReasons.has(reason);
}

/** A request that only mentions tokens, or to a contract that only supports them. */
function wantsTokens({ context, contract }: Begun): boolean {
  const tokensAsked = !context.sponsorshipInfoGiven && context.tokenInfo !== undefined;
  return tokensAsked || !contract.family.modes.includes('SPONSORED');
}

/** Answers a request of any of the methods. */
export type Answered = (
  asked: Asked & { readonly request: PaymasterDataRequest },
) => Promise<Result<{ readonly kind: 'signed' | 'quotes' | 'stub' | 'relayed' | 'terms' }>>;

/** How each method that decides about an operation is answered, live and in an explanation. */
export const answers = {
  getFeeQuoteOrData: quoteOrSponsor,
  sponsorUserOperation: sponsorOrCharge,
  getPaymasterStubData: answerStub,
  getPaymasterData: answerData,
  relayUserOperation: relayOperation,
  prepareRelay: prepareRelayOf,
} as const satisfies Readonly<Record<DecisionMethod, Answered>>;
