import type { PaymasterDataRequest } from '../domain/paymaster-data.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { SponsorshipMode } from '../domain/sponsorship.ts';
import { readMode, readQuantity } from './identify/field-readers.ts';
import type { ReadOperation } from './identify/read-user-operation.ts';
import { type Begun, beginAt, payInTokens, sponsor, stubInTokens, stubSponsored } from './pipeline.ts';
import type { Asked } from './run/steps.ts';
import type { UndecidedSignature } from './sign/sign-paymaster-data.ts';
import { sponsorOf, type UndecidedStub } from './sign/stub-paymaster-data.ts';
import { type Parallel, readParallel } from './sponsored-terms.ts';
import { payShareOrAll, withTokenOffers } from './tokens/token-mode.ts';

type AskedAt = Asked & { readonly request: PaymasterDataRequest };

/** What was signed in answer to a question for a stub. */
export type SignedStub = UndecidedSignature & ReturnType<typeof sponsorOf>;

/**
 * `pm_getPaymasterStubData` (ERC-7677). Clients may ask before they know the fees: missing ones count as 0. A signature is
 * returned, with its hold, if another paymaster answers in a layout from which it cannot be removed.
 */
export async function answerStub(asked: AskedAt): Promise<Result<UndecidedStub | SignedStub>> {
  const begun = await beginAt.run({ ...asked, request: withFees(asked.request) });
  if (!begun.ok) return begun;
  const mode = readPaymasterMode(asked);
  if (!mode.ok) return mode;
  const request = { ...begun.value, ...forgetStub(readParallel(begun.value)) };
  if (mode.value === 'ERC20') {
    const stub = await payShareOrAll(request, stubInTokens.run);
    return stub.ok ? accept(stub.value.answer) : stub;
  }
  const { trace } = asked.draft;
  const begunWith = trace.length;
  const stub = withTokenOffers(request, await stubSponsored.run(named(request)));
  if (!stub.ok) return stub;
  if (stub.value.answer !== 'hold-first') return accept(stub.value.answer);
  // The steps are taken again, with those that a stub leaves out.
  trace.length = begunWith;
  return answerHeldStub(begun.value);
}

/** A stub that may be a signature: decided and held like one, with limits of our own. */
async function answerHeldStub(begun: Begun): Promise<Result<SignedStub>> {
  const request = { ...begun, context: { ...begun.context, calculateGasLimits: true } };
  const signed = withTokenOffers(request, await sponsor.run(named(request)));
  return signed.ok ? accept({ ...signed.value.answer, ...sponsorOf(begun.profile) }) : signed;
}

/**
 * `pm_getPaymasterData` (ERC-7677). Clients that only want an estimate ask without limits, which are then estimated. Its answer
 * has no gas limits in the standard, so a limit is raised for those alone that say they take limits from it: others would
 * send the operation with their own, which is not what was signed.
 */
export async function answerData(
  asked: AskedAt,
): Promise<Result<UndecidedSignature & { readonly gasEstimated: boolean }>> {
  const begun = await beginAt.run(asked);
  if (!begun.ok) return begun;
  const mode = readPaymasterMode(asked);
  if (!mode.ok) return mode;
  const noLimits = hasNoLimits(begun.value);
  const { keepsGivenLimits = false } = asked.context;
  const calculateGasLimits = keepsGivenLimits || (noLimits && asked.context.calculateGasLimits !== false);
  if (noLimits && !calculateGasLimits) return refuse(limitsMissing);
  const context = { ...asked.context, calculateGasLimits };
  const mayRaiseLimits = asked.context.calculateGasLimits === true;
  const request = { ...begun.value, ...readParallel(begun.value), context, mayRaiseLimits };
  const signed =
    mode.value === 'ERC20'
      ? await payShareOrAll(request, payInTokens.run)
      : withTokenOffers(request, await sponsor.run(named(request)));
  if (!signed.ok) return signed;
  const { answer } = signed.value;
  const { verificationGasLimit, preVerificationGas } = begun.value.givenGas;
  const { gas } = answer;
  const gasEstimated =
    gas.verificationGasLimit !== verificationGasLimit || gas.preVerificationGas !== preVerificationGas;
  return accept({ ...answer, gasEstimated });
}

/** A stub has new terms. */
function forgetStub({ parallel }: Parallel): Parallel {
  return parallel === undefined ? {} : { parallel: { stubData: undefined } };
}

/** A gas price above 0 is judged like the operation's own. */
function withFees(request: PaymasterDataRequest): PaymasterDataRequest {
  const { maxFeePerGas, maxPriorityFeePerGas } = request.userOperation;
  const tip = numberOr('0', maxPriorityFeePerGas);
  const fees = { maxFeePerGas: numberOr(tip, maxFeePerGas), maxPriorityFeePerGas: tip };
  return { ...request, userOperation: { ...request.userOperation, ...fees } };
}

function numberOr(otherwise: string, text: string | undefined): string {
  return text === undefined || readQuantity(text) === 'absent' ? otherwise : text;
}

/** If the client does not name the account kind, it is detected from the calls. */
function named(begun: Begun & Parallel) {
  return { ...begun, account: begun.context.smartAccountInfo };
}

function readPaymasterMode({ context }: Asked): Result<SponsorshipMode> {
  const mode = readMode(context.mode);
  return mode.ok ? accept(mode.value ?? 'SPONSORED') : mode;
}

/** Clients send unknown limits as 0. */
function hasNoLimits({ givenGas }: ReadOperation): boolean {
  const { callGasLimit = 0n, verificationGasLimit = 0n, preVerificationGas = 0n } = givenGas;
  return callGasLimit + verificationGasLimit + preVerificationGas === 0n;
}

const limitsMissing = {
  reason: 'INVALID_PARAMS',
  message:
    'callGasLimit, verificationGasLimit and preVerificationGas are missing. Send them, or leave calculateGasLimits out of the context: then they are estimated and returned.',
  field: 'callGasLimit',
} as const;
