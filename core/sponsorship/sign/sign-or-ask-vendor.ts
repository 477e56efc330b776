import { noteRuling } from '../../decisions/decision-draft.ts';
import { accept, refuse } from '../../domain/result/result.ts';
import type { SponsoredTerms } from '../../evm/paymaster-contracts/family/family.ts';
import { SignerUnavailableError } from '../../evm/signer/signer.ts';
import type { WithSignedTerms } from '../cost.ts';
import { holdForSponsorship } from '../hold/hold-worst-case.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import type { Step } from '../run/steps.ts';
import { type MayAskVendor, noteWhy, vendorOf } from '../vendor.ts';
import { answerByVendor, askFields, packVendorFields } from './answer-by-vendor.ts';
import { sign, type UndecidedSignature } from './sign-paymaster-data.ts';
import { makeStub, type UndecidedStub } from './stub-paymaster-data.ts';
import { unsignStub } from './unsign-stub.ts';

type Held = Parameters<typeof sign>[0] & Parameters<typeof holdForSponsorship>[0];

/**
 * Signs what was held for, or has another paymaster sponsor it. If signing fails only now, the hold stays: the signature may
 * exist after all, and only one of the two operations can land.
 */
export const signOrAskVendor: Step<
  Held & MayAskVendor & ReadOperation,
  { readonly answer: UndecidedSignature }
> = async (request) => {
  const { vendor, reservation, requestKey } = request;
  if (vendor !== undefined && reservation !== undefined && requestKey !== undefined) {
    return answerByVendor({ ...request, vendor, reservation, requestKey });
  }
  try {
    return await sign(request);
  } catch (cause) {
    if (!(cause instanceof SignerUnavailableError) || vendorOf(request) === undefined) throw cause;
    const why = { reason: 'SIGNER_UNAVAILABLE', message: cause.message } as const;
    noteWhy(request, why);
    const held = await holdForSponsorship({ ...request, why });
    if (!held.ok) return held;
    const { vendor, reservation, requestKey } = held.value;
    if (vendor === undefined || reservation === undefined || requestKey === undefined) throw cause;
    return answerByVendor({ ...request, ...held.value, vendor, reservation, requestKey });
  }
};

// Traces name the step by its purpose, also when another paymaster signs.
Object.defineProperty(signOrAskVendor, 'name', { value: sign.name });

type Needed = MayAskVendor & WithSignedTerms<SponsoredTerms>;

/**
 * Our own stub, or that of another paymaster while ours does not sign: bundlers estimate with the paying contract. Nothing
 * is held for it, and any stub may be signed already, so it is returned without its signature. `hold-first`: its layout is
 * not known, so the operation has to be decided and held before anything of that paymaster is returned.
 */
export const makeStubOrAskVendor: Step<Needed, { readonly answer: UndecidedStub | 'hold-first' }> = async (request) => {
  const own = await makeStub(request);
  const { draft, parts, why, operation } = request;
  const vendor = why === undefined ? undefined : vendorOf(request);
  if (why === undefined || !own.ok) return own;
  if (vendor === undefined) return refuse(why);
  const rule = 'vendor';
  if (parts.vendorQuestions === undefined) {
    noteRuling(draft, { rule, finding: ['vendor-unasked'] });
    return own;
  }
  const asked = { operation, paymasterAndData: '0x' } as const;
  const fields = await askFields(request, vendor, 'pm_getPaymasterStubData', asked);
  if (typeof fields === 'string') {
    noteRuling(draft, { rule, finding: ['vendor-refused', fields], refusal: why });
    return refuse(why);
  }
  const paymasterData = unsignStub(fields.paymasterData);
  if (paymasterData === undefined) return accept({ answer: 'hold-first' });
  noteRuling(draft, { rule, finding: ['vendor-stub', fields.paymaster] });
  const { isFinal: _, ...stub } = { ...fields, paymasterData };
  const paymasterAndData = packVendorFields({ ...fields, paymasterData }, operation);
  return accept({ answer: { ...own.value.answer, ...stub, paymasterAndData } });
};
