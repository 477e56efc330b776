import { omitAbsent } from '@tollfree/contract/omit-absent';
import { getAddress } from 'viem';
import { accept, type Result } from '../../domain/result/result.ts';
import type { InnerCall } from '../../evm/account-decoders/decoder.ts';
import { worthUsdMicros } from '../../policies/worth-usd.ts';
import { sponsorshipJson } from '../../webhooks/sponsorship-payload.ts';
import type { CallableWebhook } from '../../webhooks/webhook-caller.ts';
import type { Chosen } from '../identify/choose-policy.ts';
import type { Identified } from '../identify/identify.ts';
import { askThese, hasBudget, reportedMore, type Unasked } from '../permit/ask-webhooks.ts';
import type { Ticketed } from '../permit/check-ticket.ts';
import type { DecodedCalls, PaidCalls } from '../permit/decode-calls.ts';
import type { Asked, Step } from '../run/steps.ts';
import type { Granted, PricedCost, WorstCase } from './cap-cost.ts';

type Needed = Asked & Identified & Chosen & Ticketed & Granted & WorstCase & PricedCost;

/** Calls the webhooks that receive the operation, once everything in their payload is known, of which the cost is last. */
export const askOperationWebhooks: Step<Needed & DecodedCalls & Unasked, Unasked> = async (request) => {
  const asked = await ask(request, request.calls, hasBudget);
  return asked.ok ? accept({ unasked: [...request.unasked, ...asked.value.unasked] }) : asked;
};

/**
 * The same for an operation that the user pays for, if its policy binds it like a sponsored one: it never skips a webhook.
 */
export const askOperationWebhooksOfPaid: Step<Needed & PaidCalls, Unasked> = (request) =>
  request.paidCalls === undefined ? accept({ unasked: [] }) : ask(request, request.paidCalls.calls, () => false);

async function ask(
  request: Needed,
  calls: readonly InnerCall[],
  goesWithout: (webhook: CallableWebhook) => boolean,
): Promise<Result<Unasked>> {
  const webhooks = request.profile.webhooks.filter(reportedMore);
  if (webhooks.length === 0) return accept({ unasked: [] });
  return askThese(request, { webhooks, goesWithout, sponsorshipJson: await describe(request, calls) });
}

async function describe(request: Needed, calls: readonly InnerCall[]): Promise<string> {
  const { draft, profile, chain, contract, operation, ticket, worstCase } = request;
  const price = request.usdMicrosPerCoin ?? (await priceOf(request));
  return sponsorshipJson({
    ...{ decisionId: draft.decisionId, paymasterId: profile.paymaster.paymasterId, chainId: chain.config.chainId },
    ...omitAbsent({ policyId: profile.chosen?.policyId }),
    mode: request.grant.mode,
    entryPoint: contract.location.entryPoint,
    operation,
    calls: calls.map((call) => ({
      ...call,
      target: getAddress(call.target),
      ...omitAbsent({ contractName: profile.contracts.get(call.target.toLowerCase())?.name }),
    })),
    ...(ticket === undefined ? {} : { ticket: { subject: ticket.subject, ...omitAbsent({ label: ticket.label }) } }),
    worstCase,
    ...omitAbsent({ worstCaseUsdMicros: price === undefined ? undefined : worthUsdMicros(worstCase, price) }),
  });
}

/** Without a price the worth is left out; no sponsorship is refused for that. */
async function priceOf({ chain }: Needed): Promise<bigint | undefined> {
  const price = await chain.rates.nativeUsdMicros();
  return price.ok ? price.value : undefined;
}
