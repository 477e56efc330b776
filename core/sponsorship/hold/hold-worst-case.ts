import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Address, Hex } from 'viem';
import { noteRuling } from '../../decisions/decision-draft.ts';
import { decisionRow } from '../../decisions/record-decisions.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import { isSponsored } from '../../domain/user-share.ts';
import { bareContentId, contentId } from '../../evm/paymaster-contracts/family/content-id.ts';
import type {
  PaymasterContractFamily,
  SignedTerms,
  SponsoredTerms,
  TokenTerms,
} from '../../evm/paymaster-contracts/family/family.ts';
import { mayEndUnpaid } from '../../evm/paymaster-contracts/family/terms.ts';
import { type HoldOutcome, type HoldRequest, type Payment, sponsoredPayment } from '../../ledger/holds/hold-request.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';
import type { PricedCost, WithSignedTerms, WorstCase } from '../cost.ts';
import type { WithSimulation } from '../gas/choose-gas.ts';
import type { DeploysKnown } from '../gas/decide-account.ts';
import type { DigestState } from '../gas/read-digest-state.ts';
import type { Chosen } from '../identify/choose-policy.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import type { Ticketed } from '../permit/check-ticket.ts';
import type { StagesDecided, TokenStagesDecided } from '../permit/decide-request.ts';
import type { DecodedCalls } from '../permit/decode-calls.ts';
import type { Lifetime } from '../permit/sponsor-mode.ts';
import { type Asked, PaymasterChanged, type Step, type UserPays } from '../run/steps.ts';
import type { Parallel } from '../sponsored-terms.ts';
import type { Quoted } from '../tokens/keep-quote.ts';
import type { Afforded } from '../tokens/try-payment.ts';
import {
  askOf,
  boundVendorCost,
  type HeldVendor,
  noteWhy,
  type VendorTerms,
  vendorOf,
  type WhyVendor,
} from '../vendor.ts';
import {
  type Counted,
  countShare,
  countSponsored,
  findFunds,
  findTank,
  policyOf,
  ticketOf,
  withSecondLook,
} from './check-funds.ts';
import { holdWithoutLanded } from './hold-without-landed.ts';
import { encodeTerms, type Named, requestKey, withTerms } from './request-key.ts';

/** A hold, and the terms to sign: those of an earlier answer if the same request was granted before. */
export type Held<G extends SignedTerms = SignedTerms> = WithSignedTerms<G> &
  Partial<HeldVendor> & {
    readonly holdId: number;
    /** The prepared data for these terms; undefined for those of an earlier answer. */
    readonly prepared?: ReturnType<PaymasterContractFamily['prepare']> | undefined;
  };

type Needed<G extends SignedTerms> = Asked &
  Identified &
  Chosen &
  ReadOperation &
  Parallel &
  WithSignedTerms<G> &
  WorstCase &
  Partial<DigestState & Quoted & UserPays & WithSimulation & Named> &
  Ticketed;

/** Holds for a sponsorship, after the policy decided on everything known before. */
export const holdForSponsorship: Step<ToSponsor, Held<SponsoredTerms>> = async (request) => {
  if (request.why !== undefined) return holdForVendor({ ...request, why: request.why });
  const { draft } = request;
  const before = draft.trace.length;
  const held = await holdWorstCase(request, sponsoredOf(request));
  // Relayed operations go to our own bundler at our tank's cost, so no other paymaster can replace it.
  if (held.ok || request.relayed !== undefined) return held;
  if (held.refusal.reason !== 'INSUFFICIENT_FUNDS' || vendorOf(request) === undefined) return held;
  // The limits are decided again, and noted then.
  draft.trace.length = before;
  noteWhy(request, held.refusal);
  return holdForVendor({ ...request, why: held.refusal });
};

type ToSponsor = Needed<SponsoredTerms> &
  PricedCost &
  StagesDecided &
  DeploysKnown &
  DecodedCalls &
  Lifetime &
  WhyVendor;

/** Holds for an operation that another paymaster will sponsor. */
async function holdForVendor(request: ToSponsor & { readonly why: Refusal }): Promise<Result<Held<SponsoredTerms>>> {
  const vendor = await boundVendorCost(request, request.why);
  return vendor.ok ? holdWorstCase(request, { ...sponsoredOf(request), vendor: vendor.value }) : vendor;
}

/** What limits count for a sponsored operation. */
function sponsoredOf(request: ToSponsor) {
  const { deploysKnown, lastsLong } = request;
  return { lastsLong, deploysKnown, payment: sponsoredPayment, ...countSponsored(request) };
}

/** Holds for an operation that the user pays for, wholly or in part: what the deposit advances. */
export const holdForTokens: Step<Needed<TokenTerms> & TokenStagesDecided & Counted & Afforded, Held<TokenTerms>> = (
  request,
) => {
  const { signedTerms, afforded, userPercent } = request;
  const payment: Payment = { userPercent, tokens: { token: signedTerms.token, ...afforded } };
  return holdWorstCase(request, { deploysKnown: false, lastsLong: false, payment, ...countShare(request) });
};

/** Holds the operation's maximum cost in the gas tank, durably and within the policy's limits, before anything is signed. */
async function holdWorstCase<G extends SignedTerms>(
  request: Needed<G>,
  known: DeploysKnown & { readonly vendor?: VendorTerms } & Pick<
      HoldRequest,
      'lastsLong' | 'payment' | 'prices' | 'calls'
    >,
): Promise<Result<Held<G>>> {
  const { parts, draft, operation, signedTerms } = request;
  const { deploysKnown, vendor, ...counts } = known;
  const worstCase = vendor?.worstCase ?? request.worstCase;
  const key = requestKey(request, request, request);
  const terms = { operation, signedTerms };
  const { state, contract, profile, relayed } = request;
  const prepared = contract.family.prepare(contract.location, operation, signedTerms, state);
  const { clientAddress } = request.request;
  const client = clientAddress === undefined ? undefined : parts.digestClient(clientAddress);
  let rulings: readonly Ruling[] = [];
  const attempt = async (): Promise<Result<Held<G>>> => {
    rulings = [];
    const funds = vendor === undefined ? await findFunds(request) : findTank(request);
    if (!funds.ok) return funds;
    const outcome = await holdWithoutLanded(request, {
      accountId: profile.paymaster.accountId,
      policy: policyOf(profile),
      decidedOn: {
        paymasterChanges: profile.changes,
        isCurrent: () => parts.profiles.isCurrent(request.readProfile),
      },
      key: { keyNumber: profile.key.keyNumber, limits: profile.keyLimits },
      caps: { client, most: parts.holdCaps },
      landing: {
        contentId: vendor === undefined ? contentIdOf(request, prepared.unsigned) : undefined,
        relayed,
        otherPayers: findOtherPayers(request),
      },
      sender: operation.sender,
      nonce: operation.nonce,
      amount: worstCase,
      deploys: deploysKnown,
      simulated: request.isSimulated === true,
      paysAuthorization: isSponsored(counts.payment) && operation.paysAuthorization === true,
      validUntil: signedTerms.validUntil,
      requestKey: key,
      terms: encodeTerms(terms),
      signer: contract.signer.address,
      decisionRow: (found) => keepDecision(draft, found),
      ...funds.value,
      ...counts,
      ...omitAbsent({
        ticket: request.ticket && ticketOf(request.ticket),
        vendor: vendor && askOf(request, vendor),
        unpaidBudget: mayEndUnpaid(contract.family, signedTerms) ? parts.unpaidBudget : undefined,
      }),
    });
    if (outcome.kind === 'held') {
      const { holdId, terms: text, vendor: reservation } = outcome;
      if (vendor !== undefined && reservation !== undefined) {
        return accept({ holdId, ...terms, vendor, reservation, requestKey: key });
      }
      if (text === undefined) return accept({ holdId, ...terms, prepared });
      return accept({ holdId, ...withTerms(terms, { text, holdId }), prepared: undefined });
    }
    if (outcome.kind === 'changed') throw new PaymasterChanged(profile.paymaster.paymasterId);
    rulings = refusedRulings(outcome, worstCase);
    return refuse(refusalOf(outcome, worstCase));
  };
  // Reading the chain does not change another paymaster's budget.
  const held = vendor === undefined ? await withSecondLook(request.chain, attempt) : await attempt();
  for (const ruling of rulings) noteRuling(draft, ruling);
  return held;
}

function contentIdOf({ operation, relayed }: WithSignedTerms & Partial<Named>, unsigned: Hex): Hex {
  return relayed === undefined ? contentId(operation, unsigned) : bareContentId(operation);
}

/** The record of a decision with a hold, written together with its first hold. */
function keepDecision(draft: Asked['draft'], rulings: readonly Ruling[]) {
  const isKept = draft.isKept === true;
  draft.isKept = true;
  for (const ruling of rulings) noteRuling(draft, ruling);
  return isKept ? undefined : decisionRow(draft, 'signed', undefined);
}

type Unheld = Exclude<HoldOutcome, { readonly kind: 'held' | 'changed' }>;

function refusalOf(outcome: Unheld, amount: bigint): Refusal {
  switch (outcome.kind) {
    case 'busy':
      return {
        reason: 'RATE_LIMITED',
        message: 'Too many operations of this account are being signed at the moment. Try again shortly.',
      };
    case 'limited':
      return outcome.refusal;
    case 'unfunded':
      return {
        reason: 'INSUFFICIENT_FUNDS',
        // Only the owner may know the tank's amounts, from the decision's trace; anyone may see this text.
        message: `The gas tank cannot pay for this operation, which can cost up to ${amount} wei.`,
        details: { needed: amount.toString() },
      };
  }
}

function refusedRulings(outcome: Unheld, amount: bigint): readonly Ruling[] {
  switch (outcome.kind) {
    case 'busy':
      return [{ rule: 'gas-tank', finding: ['queue-of-holds'], refusal: refusalOf(outcome, amount) }];
    case 'limited':
      return outcome.rulings;
    case 'unfunded':
      return [
        ...outcome.rulings,
        {
          rule: 'gas-tank',
          finding: ['gas-tank', amount, outcome.available],
          refusal: refusalOf(outcome, amount),
        },
      ];
  }
}

/** Where the same operation would be held by the other way; none if the chain has no relay for its EntryPoint. */
function findOtherPayers({ chain, contract, relayed }: Identified & Partial<Named>): readonly Address[] {
  const { relay, contracts } = chain;
  const { entryPoint } = contract.location;
  if (relay === undefined || relay.contract.location.entryPoint !== entryPoint) return [];
  if (relayed === undefined) return [relay.contract.location.address];
  const signing = [...contracts.values()].filter(({ location }) => location.entryPoint === entryPoint);
  return [...new Set(signing.map(({ location }) => location.address))];
}
