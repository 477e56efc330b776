import type { DecisionItem, ExplanationItem, FixItem, SettlementItem } from '@tollfree/contract/decision-fields';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { pmGetFeeQuoteOrData } from '@tollfree/contract/rpc/pm-get-fee-quote-or-data';
import { pmGetPaymasterData } from '@tollfree/contract/rpc/pm-get-paymaster-data';
import { pmGetPaymasterStubData } from '@tollfree/contract/rpc/pm-get-paymaster-stub-data';
import { pmSponsorUserOperation } from '@tollfree/contract/rpc/pm-sponsor-user-operation';
import type {
  Decision,
  DecisionFacts,
  DecisionMethod,
  Explanation,
  Fix,
  Settlement,
} from '../../core/domain/decision.ts';

const methodNames: Readonly<Record<DecisionMethod, string>> = {
  getFeeQuoteOrData: pmGetFeeQuoteOrData.method,
  sponsorUserOperation: pmSponsorUserOperation.method,
  getPaymasterStubData: pmGetPaymasterStubData.method,
  getPaymasterData: pmGetPaymasterData.method,
};

/** A decision as it is answered: the method by its name on the wire, amounts as decimal text. */
export function decisionItem({ settlement, ...decision }: Decision): DecisionItem {
  return {
    ...explanationItem(decision),
    ...omitAbsent({ settlement: settlement === undefined ? undefined : settlementItem(settlement) }),
  };
}

/** {@link decisionItem} of what would be decided. */
export function explanationItem({
  method,
  nonce,
  facts,
  trace,
  tokenOffers,
  ...explanation
}: Explanation): ExplanationItem {
  return {
    ...explanation,
    method: methodNames[method],
    ...omitAbsent({ nonce: nonce?.toString(), facts: facts === undefined ? undefined : factsItem(facts) }),
    ...omitAbsent({ tokenOffers: tokenOffers === undefined ? undefined : [...tokenOffers] }),
    trace: trace.map(({ fix, ...step }) => ({ ...step, ...omitAbsent({ fix: fix && fixItem(fix) }) })),
  };
}

function fixItem({ neededWei, ...fix }: Fix): FixItem {
  return { ...fix, ...omitAbsent({ neededWei: neededWei?.toString() }) };
}

function factsItem({
  calls,
  maxFeePerGas,
  account,
  attribution,
  subject,
  withoutWebhooks,
  gas,
  worstCase,
  usdMicrosPerCoin,
  deploysOnly,
}: DecisionFacts) {
  return {
    calls: calls.map(({ value, ...call }) => ({ ...call, ...omitAbsent({ value: value?.toString() }) })),
    deploysOnly,
    maxFeePerGas: maxFeePerGas.toString(),
    ...omitAbsent({
      account,
      attribution: attribution && [...attribution],
      subject,
      withoutWebhooks: withoutWebhooks && [...withoutWebhooks],
      gas: gas?.toString(),
      worstCase: worstCase?.toString(),
      usdMicrosPerCoin: usdMicrosPerCoin?.toString(),
    }),
  };
}

function settlementItem({ held, charge, tokenPayment, ...settlement }: Settlement): SettlementItem {
  return {
    ...settlement,
    held: held.toString(),
    ...omitAbsent({ charge: charge?.toString() }),
    ...(tokenPayment === undefined
      ? {}
      : { tokenPayment: { token: tokenPayment.token, amount: tokenPayment.amount.toString() } }),
  };
}
