import { noteRuling } from '../../decisions/decision-draft.ts';
import { accept, refuse } from '../../domain/result/result.ts';
import type { SponsoredTerms } from '../../evm/paymaster-contracts/family/family.ts';
import { SignerUnavailableError } from '../../evm/signer/signer.ts';
import type { WithSignedTerms } from '../cost.ts';
import { holdForSponsorship } from '../hold/hold-worst-case.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import type { Step } from '../run/steps.ts';
import { type MayGoUpstream, noteWhy, upstreamOf } from '../upstream.ts';
import { answerByUpstream, askFields, packUpstreamFields } from './answer-by-upstream.ts';
import { sign, type UndecidedSignature } from './sign-paymaster-data.ts';
import { makeStub, type UndecidedStub } from './stub-paymaster-data.ts';
import { unsignStub } from './unsign-stub.ts';

type Held = Parameters<typeof sign>[0] & Parameters<typeof holdForSponsorship>[0];

/**
 * Signs what was held for, or has another paymaster sponsor it. If signing fails only now, the hold stays: the signature may
 * exist after all, and only one of the two operations can land.
 */
export const signOrAskUpstream: Step<
  Held & MayGoUpstream & ReadOperation,
  { readonly answer: UndecidedSignature }
> = async (request) => {
  const { goes, reservation, requestKey } = request;
  if (goes !== undefined && reservation !== undefined && requestKey !== undefined) {
    return answerByUpstream({ ...request, goes, reservation, requestKey });
  }
  try {
    return await sign(request);
  } catch (cause) {
    if (!(cause instanceof SignerUnavailableError) || upstreamOf(request) === undefined) throw cause;
    const why = { reason: 'SIGNER_UNAVAILABLE', message: cause.message } as const;
    noteWhy(request, why);
    const held = await holdForSponsorship({ ...request, why });
    if (!held.ok) return held;
    const { goes, reservation, requestKey } = held.value;
    if (goes === undefined || reservation === undefined || requestKey === undefined) throw cause;
    return answerByUpstream({ ...request, ...held.value, goes, reservation, requestKey });
  }
};

// Traces name the step by its purpose, also when another paymaster signs.
Object.defineProperty(signOrAskUpstream, 'name', { value: sign.name });

type Needed = MayGoUpstream & WithSignedTerms<SponsoredTerms>;

/**
 * Our own stub, or that of another paymaster while ours does not sign: bundlers estimate with the paying contract. Nothing
 * is held for it, and any stub may be signed already, so it is returned without its signature. `hold-first`: its layout is
 * not known, so the operation has to be decided and held before anything of that paymaster is returned.
 */
export const makeStubOrAskUpstream: Step<Needed, { readonly answer: UndecidedStub | 'hold-first' }> = async (
  request,
) => {
  const own = await makeStub(request);
  const { draft, parts, why, operation } = request;
  const upstream = why === undefined ? undefined : upstreamOf(request);
  if (why === undefined || !own.ok) return own;
  if (upstream === undefined) return refuse(why);
  const rule = 'upstream';
  if (parts.upstreamQuestions === undefined) {
    noteRuling(draft, { rule, finding: ['upstream-unasked'] });
    return own;
  }
  const asked = { operation, paymasterAndData: '0x' } as const;
  const fields = await askFields(request, upstream, 'pm_getPaymasterStubData', asked);
  if (typeof fields === 'string') {
    noteRuling(draft, { rule, finding: ['upstream-refused', fields], refusal: why });
    return refuse(why);
  }
  const paymasterData = unsignStub(fields.paymasterData);
  if (paymasterData === undefined) return accept({ answer: 'hold-first' });
  noteRuling(draft, { rule, finding: ['upstream-stub', fields.paymaster] });
  const { isFinal: _, ...stub } = { ...fields, paymasterData };
  const paymasterAndData = packUpstreamFields({ ...fields, paymasterData }, operation);
  return accept({ answer: { ...own.value.answer, ...stub, paymasterAndData } });
};
