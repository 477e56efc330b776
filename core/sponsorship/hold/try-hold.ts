import { omitAbsent } from '@tollfree/contract/omit-absent';
import { noteRuling } from '../../decisions/decision-draft.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import { wholePercent } from '../../domain/user-share.ts';
import { wasJustSet } from '../../policies/rules/rule-on-limit.ts';
import { type PricedCost, priceCoin, type WithSignedTerms, type WorstCase } from '../cost.ts';
import type { WithGas } from '../gas/choose-gas.ts';
import type { Chosen } from '../identify/choose-policy.ts';
import type { Identified } from '../identify/identify.ts';
import type { Asked, Step } from '../run/steps.ts';
import type { TokenRatesNow } from '../tokens/read-token-rates.ts';
import { tokenTerms } from '../tokens/token-terms.ts';
import { type Counted, countShare, findFunds, policyOf, ticketOf } from './check-funds.ts';

type Tried = Needed & WithGas & Pick<WorstCase, 'worstCase'>;
type Needed = Asked & Identified & Chosen & Counted;

/**
 * Where the user pays a share: whether the limits have room for the sponsor's part, since a stub that promises the share
 * cannot be signed at another rate later. Nothing is held.
 */
export const tryShare: Step<Needed & WithSignedTerms & WorstCase & PricedCost, object> = (request) =>
  request.userPercent === wholePercent ? accept({}) : tryHold(request);

/** Before a quote, whose price is that of the share: whether the limits have room for the sponsor's part. Nothing is held. */
export const tryQuotedShare: Step<Omit<Needed, keyof PricedCost> & WithGas & TokenRatesNow, object> = async (
  request,
) => {
  const { contract, operation, rates, window } = request;
  const [rate] = rates;
  if (request.userPercent === wholePercent || rate === undefined) return accept({});
  const priced = await priceCoin(request);
  if (!priced.ok) return priced;
  const worstCase = contract.family.worstCase(operation, tokenTerms(request, rate, window));
  const shared = { ...request, ...priced.value, worstCase };
  return tryHold(shared);
};

async function tryHold(request: Tried): Promise<Result<object>> {
  const { parts, profile, operation, worstCase, draft, readProfile, ticket, userPercent } = request;
  const funds = await findFunds(request);
  // The tank is checked at signing.
  if (!funds.ok) return accept({});
  const outcome = await parts.tryHold({
    ...funds.value,
    accountId: profile.paymaster.accountId,
    policy: policyOf(profile),
    decidedOn: { paymasterChanges: undefined, isCurrent: () => parts.profiles.isCurrent(readProfile) },
    payment: { userPercent, tokens: undefined },
    key: { keyNumber: profile.key.keyNumber, limits: profile.keyLimits },
    sender: operation.sender,
    nonce: operation.nonce,
    amount: worstCase,
    deploys: false,
    simulated: false,
    paysAuthorization: false,
    lastsLong: false,
    validUntil: 0,
    requestKey: '',
    terms: '',
    signer: request.contract.signer.address,
    decisionRow: () => undefined,
    ...countShare(request),
    ...omitAbsent({ ticket: ticket && ticketOf(ticket) }),
  });
  if (outcome.kind !== 'limited' || wasJustSet(outcome.refusal)) return accept({});
  for (const ruling of outcome.rulings) if (ruling.refusal !== undefined) noteRuling(draft, ruling);
  return refuse(outcome.refusal);
}
