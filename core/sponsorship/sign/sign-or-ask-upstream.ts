import { SignerUnavailableError } from '../../evm/signer/signer.ts';
import { holdForSponsorship } from '../hold/hold-worst-case.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import type { Step } from '../run/steps.ts';
import { type MayGoUpstream, noteOutage, upstreamOf } from '../upstream/outage.ts';
import { answerByUpstream } from './answer-by-upstream.ts';
import { sign, type UndecidedSignature } from './sign-paymaster-data.ts';

type Held = Parameters<typeof sign>[0] & Parameters<typeof holdForSponsorship>[0];

/**
 *
 *
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
    const outage = { reason: 'SIGNER_UNAVAILABLE', message: cause.message } as const;
    noteOutage(request, outage);
    const held = await holdForSponsorship({ ...request, outage });
    if (!held.ok) return held;
    const { goes, reservation, requestKey } = held.value;
    if (goes === undefined || reservation === undefined || requestKey === undefined) throw cause;
    return answerByUpstream({ ...request, ...held.value, goes, reservation, requestKey });
  }
};

// Traces name the step by its purpose, also when another paymaster signs.
Object.defineProperty(signOrAskUpstream, 'name', { value: sign.name });
