import { noteRuling } from '../../decisions/decision-draft.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import type { ChainView } from '../../node/followed-chain.ts';
import type { Upstream } from '../../node/upstream/create-upstream.ts';
import { textsOf } from '../../policies/findings/finding.ts';
import type { Identified } from '../identify/identify.ts';
import { checkChain, checkContract, checkSigner, type Viewed, viewWithoutLedger } from '../permit/check-chain.ts';
import type { Asked, Step } from '../run/steps.ts';
import type { Parallel } from '../terms/grant-sponsorship.ts';

/** Why our own paymaster does not sign, if another one is asked instead; undefined while it does. */
export type Outage = { readonly outage?: Refusal };

/** A request that another paymaster may answer. */
export type MayGoUpstream = Asked & Identified & Parallel & Outage;

/**
 * The paymaster to ask instead of ours. None for accounts that the operator does not name, while it fails, and if the
 * account signs in parallel: no one else can sign what our stub promised.
 */
export function upstreamOf({ chain: { upstream }, profile, parallel }: MayGoUpstream): Upstream | undefined {
  if (upstream === undefined || parallel !== undefined || upstream.fault() !== undefined) return undefined;
  const { accounts } = upstream.config;
  return accounts === 'all' || accounts.includes(profile.paymaster.accountId) ? upstream : undefined;
}

/** The contract does not match the configuration: nothing is signed for it, but a policy can be decided without it. */
export const checkContractOrGoUpstream: Step<MayGoUpstream, Outage> = async (request) => {
  const checked = await checkContract(request);
  return checked.ok ? checked : goUpstream(request, checked, {});
};

/**
 * The ledger is behind the chain: the tank's funds are unknown, which does not matter upstream. A silent node is no reason:
 * without it neither gas, account nor gas price can be judged.
 */
export const checkChainOrGoUpstream: Step<MayGoUpstream, Viewed & Outage> = async (request) => {
  const checked = await checkChain(request);
  if (checked.ok) return checked;
  const view = viewWithoutLedger(request.chain, request.parts.clock);
  return view === undefined ? checked : goUpstream<{ readonly view: ChainView }>(request, checked, { view });
};

/** No key signs at the moment. */
export const checkSignerOrGoUpstream: Step<MayGoUpstream, Outage> = async (request) => {
  const checked = await checkSigner(request);
  return checked.ok ? checked : goUpstream(request, checked, {});
};

/** Continues if another paymaster may be asked; otherwise the refusal stands. The trace says why it continued. */
export function goUpstream<Found extends object>(
  request: MayGoUpstream,
  refused: Result<never>,
  found: Found,
): Result<Found & Outage> {
  if (refused.ok || upstreamOf(request) === undefined) return refused;
  noteOutage(request, refused.refusal);
  return accept({ ...found, outage: request.outage ?? refused.refusal });
}

/** Notes the refusing step as passed, since the decision continues. */
export function noteOutage({ draft }: Pick<Asked, 'draft'>, { message }: Refusal): void {
  const refused = draft.trace.at(-1)?.remedy === undefined ? undefined : draft.trace.pop();
  const checked = refused && textsOf(refused.finding).checked;
  noteRuling(draft, { rule: refused?.rule ?? 'upstream', finding: ['own-paymaster', checked, message] });
}
