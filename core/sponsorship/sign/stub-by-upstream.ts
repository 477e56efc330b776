import { noteRuling } from '../../decisions/decision-draft.ts';
import { accept, refuse } from '../../domain/result/result.ts';
import type { SponsoredGrant } from '../../evm/paymaster-contracts/family/family.ts';
import type { Granted } from '../cost/cap-cost.ts';
import type { Step } from '../run/steps.ts';
import { askFields } from '../upstream/ask-fields.ts';
import { type MayGoUpstream, upstreamOf } from '../upstream/outage.ts';
import { packUpstreamFields } from '../upstream/pack-upstream-fields.ts';
import { makeStub, type UndecidedStub } from './stub-paymaster-data.ts';

type Needed = MayGoUpstream & Granted<SponsoredGrant>;

/**
 *
 *
 * Our own stub, or that of another paymaster while ours does not sign: bundlers estimate with the paying contract. An
 * already signed stub is not returned, since nothing has been reserved for it.
 */
export const makeStubOrAskUpstream: Step<Needed, { readonly answer: UndecidedStub }> = async (request) => {
  const own = await makeStub(request);
  const { draft, parts, outage, operation } = request;
  const upstream = outage === undefined ? undefined : upstreamOf(request);
  if (outage === undefined || !own.ok) return own;
  if (upstream === undefined) return refuse(outage);
  const rule = 'upstream';
  if (parts.upstreamQuestions === undefined) {
    noteRuling(draft, { rule, checked: 'the upstream paymaster (not asked; assumed to agree)' });
    return own;
  }
  const asked = { operation, paymasterAndData: '0x' } as const;
  const fields = await askFields(request, upstream, 'pm_getPaymasterStubData', asked);
  if (typeof fields === 'string' || fields.isFinal) {
    const why = typeof fields === 'string' ? fields : 'its stub is signed already';
    noteRuling(draft, { rule, checked: `the upstream paymaster: ${why}`, refusal: outage });
    return refuse(outage);
  }
  noteRuling(draft, { rule, checked: `stub by upstream, with the paymaster contract ${fields.paymaster}` });
  const { isFinal: _, ...stub } = fields;
  return accept({ answer: { ...own.value.answer, ...stub, paymasterAndData: packUpstreamFields(fields, operation) } });
};
