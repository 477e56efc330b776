import type { DecisionMethod } from '../domain/decision.ts';
import type { PaymasterDataRequest } from '../domain/paymaster-data.ts';
import type { Result } from '../domain/result/result.ts';
import { answerData, answerStub } from './answer-paymaster-data.ts';
import { quoteOrSponsor } from './quote-or-sponsor.ts';
import { prepareRelayOf, relayOperation } from './relay-operation.ts';
import type { Asked } from './run/asked.ts';
import { sponsorOrCharge } from './sponsor-or-charge.ts';

/** Answers a request of any of the methods. */
export type Answered = (
  asked: Asked & { readonly request: PaymasterDataRequest },
) => Promise<Result<{ readonly kind: 'signed' | 'quotes' | 'stub' | 'relayed' | 'terms' }>>;

/** How each method that decides about an operation is answered, live and in an explanation. */
export const answers = {
  getFeeQuoteOrData: quoteOrSponsor,
  sponsorUserOperation: sponsorOrCharge,
  getPaymasterStubData: answerStub,
  getPaymasterData: answerData,
  relayUserOperation: relayOperation,
  prepareRelay: prepareRelayOf,
} as const satisfies Readonly<Record<DecisionMethod, Answered>>;
