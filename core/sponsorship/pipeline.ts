import type { PaymasterDataRequest } from '../domain/paymaster-data.ts';
import { accept, type Result } from '../domain/result/result.ts';
import { askOperationWebhooks, askOperationWebhooksOfPaid, capCost, decideCost, priceCoin } from './cost.ts';
import { capOperationGas, capSharedGas } from './gas/cap-operation-gas.ts';
import { checkBundlersTake, checkGivenLimits } from './gas/check-given-limits.ts';
import { chooseGas } from './gas/choose-gas.ts';
import { decideAccount, decideAccountOfStub, decidePaidAccount } from './gas/decide-account.ts';
import { readDigestState } from './gas/read-digest-state.ts';
import { checkFunds, checkFundsOrAskVendor } from './hold/check-funds.ts';
import { holdForSponsorship, holdForTokens } from './hold/hold-worst-case.ts';
import { tryQuotedShare, tryShare } from './hold/try-hold.ts';
import { type Chosen, choosePolicy } from './identify/choose-policy.ts';
import { checkKey, type Identified, identifyPaymaster, identifyPaymasterAt } from './identify/identify.ts';
import { readOperation } from './identify/read-operation.ts';
import type { ReadOperation } from './identify/read-user-operation.ts';
import { checkStubTerms, keepStubTerms, keepTokenStubTerms } from './keep-stub-terms.ts';
import { askWebhooks, askWebhooksOfPaid } from './permit/ask-webhooks.ts';
import { checkChain, checkContract, checkSigner } from './permit/check-chain.ts';
import { checkGasPrice, checkPriceNearChain, requirePrice } from './permit/check-gas-price.ts';
import { checkTicket, checkUserTicket } from './permit/check-ticket.ts';
import { decideRequest } from './permit/decide-request.ts';
import { decodeCalls, type NamedAccount } from './permit/decode-calls.ts';
import {
  checkSponsors,
  readSignatureLifetime,
  readTokenLifetime,
  requireFundingWallet,
} from './permit/sponsor-mode.ts';
import { checkAuthorization } from './relay/check-authorization.ts';
import { answerTerms, handOver, nameRelayed } from './relay/hand-over.ts';
import {
  checkUnpaid,
  chooseRelay,
  decideRelayPrice,
  dropPreVerificationGas,
  priceRelay,
  readRelayedGas,
} from './relay/price-relay.ts';
import { type Asked, type KnownAfter, steps, type UserPays } from './run/steps.ts';
import { makeStubOrAskVendor, signOrAskVendor } from './sign/sign-or-ask-vendor.ts';
import { sign } from './sign/sign-paymaster-data.ts';
import { makeStub, takeGasSoFar } from './sign/stub-paymaster-data.ts';
import { type Parallel, toSponsoredTerms } from './sponsored-terms.ts';
import { chooseFeeToken, decideQuoteRequest, decideTokenRequest, nameFeeToken } from './tokens/choose-tokens.ts';
import { chooseQuotedGas, findQuote, keepQuote } from './tokens/keep-quote.ts';
import { checkTokenGrain, quotesAnswer, quoteTokens, type UndecidedQuotes } from './tokens/quote-tokens.ts';
import { chooseQuotedTokens, readTokenInfo, readTokenRates } from './tokens/read-token-rates.ts';
import { beginTokenMode, checkTakesTokens, decodePaidCalls, payShareOrAll } from './tokens/token-mode.ts';
import { readPermit, requireWholePermit, toTokenTerms } from './tokens/token-terms.ts';
import { beginPayment, measurePayment, tryPayment } from './tokens/try-payment.ts';
import { checkChainOrAskVendor, checkContractOrAskVendor, checkSignerOrAskVendor } from './vendor.ts';

/**
 * The steps of every answer about an operation, in order. The first refusal ends the decision. No transaction is open and
 * nothing is held while something external is awaited.
 */

/** A request whose paymaster and operation are known. */
export type Begun = Asked & Identified & ReadOperation & Chosen;

/** The first steps of every request. */
export const begin = steps<Asked>().step(identifyPaymaster).step(checkKey).step(readOperation).step(choosePolicy);

/** The methods of ERC-7677 name an EntryPoint, which must be the paymaster's. */
export const beginAt = steps<Asked & { readonly request: PaymasterDataRequest }>()
  .step(identifyPaymasterAt)
  .step(checkKey)
  .step(readOperation)
  .step(choosePolicy);

/** Mode `SPONSORED`, up to the first external question: the application pays. */
const permit = steps<Begun & NamedAccount & Parallel>()
  .step(checkContractOrAskVendor)
  .step(checkSponsors)
  .step(readSignatureLifetime)
  .step(decodeCalls)
  .step(checkTicket)
  .step(decideRequest)
  .step(checkGasPrice)
  .step(requireFundingWallet)
  .step(checkChainOrAskVendor)
  .step(checkPriceNearChain)
  .step(checkSignerOrAskVendor);

/** Mode `SPONSORED`, to the signature. */
export const sponsor = permit
  .step(requirePrice)
  .step(askWebhooks)
  .step(toSponsoredTerms)
  .step(keepStubTerms)
  .step(chooseGas)
  .step(checkGivenLimits)
  .step(decideAccount)
  .step(capOperationGas)
  .step(checkBundlersTake)
  .step(readDigestState)
  .step(capCost)
  .step(priceCoin)
  .step(decideCost)
  .step(checkStubTerms)
  .step(askOperationWebhooks)
  .step(holdForSponsorship)
  .step(signOrAskVendor);

/** An operation without a paymaster contract, up to the first external question: a relay takes its role. */
const permitRelay = steps<Begun & NamedAccount>()
  .step(chooseRelay)
  .step(readRelayedGas)
  .step(checkUnpaid)
  .step(checkSponsors)
  .step(readSignatureLifetime)
  .step(decodeCalls)
  .step(checkTicket)
  .step(decideRequest)
  .step(checkGasPrice)
  .step(requireFundingWallet)
  .step(checkChain)
  .step(checkPriceNearChain);

/** A relayed operation, up to the bundler: nothing is signed. */
export const relay = permitRelay
  .step(checkAuthorization)
  .step(askWebhooks)
  .step(toSponsoredTerms)
  .step(chooseGas)
  .step(checkGivenLimits)
  .step(decideAccount)
  .step(capOperationGas)
  .step(checkBundlersTake)
  .step(priceRelay)
  .step(decideRelayPrice)
  .step(capCost)
  .step(priceCoin)
  .step(decideCost)
  .step(askOperationWebhooks)
  .step(nameRelayed)
  .step(holdForSponsorship)
  .step(handOver);

/** Before the account signs: every step except webhooks, hold and bundler, with our own limits. */
export const prepareToRelay = permitRelay
  .step(toSponsoredTerms)
  .step(chooseGas)
  .step(dropPreVerificationGas)
  .step(decideAccount)
  .step(capOperationGas)
  .step(checkBundlersTake)
  .step(priceRelay)
  .step(decideRelayPrice)
  .step(capCost)
  .step(priceCoin)
  .step(decideCost)
  .step(checkFunds)
  .step(answerTerms);

/**
 * The stub of ERC-7677: every step of the signature except webhooks, estimate, hold and signature. So anything known now
 * that would refuse the final request refuses it here.
 */
export const stubSponsored = permit
  .step(decideAccountOfStub)
  .step(toSponsoredTerms)
  .step(keepStubTerms)
  .step(takeGasSoFar)
  .step(capCost)
  .step(priceCoin)
  .step(decideCost)
  .step(checkFundsOrAskVendor)
  .step(makeStubOrAskVendor);

/** A request in token mode, with the user's share of the gas. */
type Paid = Begun & UserPays;

/**
 * Mode `ERC20`, up to the price: the user pays in a token, the sponsor's deposit advances the gas. Contracts, webhooks and
 * sponsorship limits do not apply; the policy's other rules, the operator's caps and the funds do. If the policy lets users
 * pay for what its limits no longer sponsor, contracts, accounts and webhooks also apply: forbidden calls stay forbidden. If
 * users pay a share, limits also count the rest.
 */
const permitTokens = steps<Paid>()
  .step(checkContract)
  .step(beginTokenMode)
  .step(nameFeeToken)
  .step(checkTakesTokens)
  .step(readPermit)
  .step(readTokenLifetime)
  .step(chooseFeeToken)
  .step(decodePaidCalls)
  .step(checkUserTicket)
  .step(decideTokenRequest)
  .step(checkGasPrice)
  .step(checkChain)
  .step(checkPriceNearChain)
  .step(checkSigner)
  .step(toTokenTerms)
  .step(keepTokenStubTerms);

/** Mode `ERC20`, to the signature. */
export const payInTokens = permitTokens
  .step(requirePrice)
  .step(requireWholePermit)
  .step(askWebhooksOfPaid)
  .step(chooseGas)
  .step(findQuote)
  .step(beginPayment)
  .step(checkGivenLimits)
  .step(decidePaidAccount)
  .step(capSharedGas)
  .step(keepQuote)
  .step(tryPayment)
  .step(checkBundlersTake)
  .step(checkTokenGrain)
  .step(capCost)
  .step(priceCoin)
  .step(decideCost)
  .step(checkStubTerms)
  .step(askOperationWebhooksOfPaid)
  .step(holdForTokens)
  .step(sign);

/** The stub of ERC-7677 in mode `ERC20`. */
export const stubInTokens = permitTokens
  .step(takeGasSoFar)
  .step(measurePayment)
  .step(capCost)
  .step(priceCoin)
  .step(decideCost)
  .step(tryShare)
  .step(checkFunds)
  .step(makeStub);

const chooseQuotes = steps<Paid>()
  .step(checkContract)
  .step(beginTokenMode)
  .step(readTokenInfo)
  .step(checkTakesTokens)
  .step(readPermit)
  .step(readTokenLifetime)
  .step(decodePaidCalls)
  .step(checkUserTicket)
  .step(decideQuoteRequest)
  .step(chooseQuotedTokens);
const makeQuotes = steps<KnownAfter<typeof chooseQuotes>>()
  .step(checkChain)
  .step(requirePrice)
  .step(readTokenRates)
  .step(chooseQuotedGas)
  .step(tryQuotedShare)
  .step(quoteTokens);

/** Mode `ERC20` of `pm_getFeeQuoteOrData`: the operation's maximum cost in each token. Nothing is held or signed. */
export function quoteInTokens(request: Begun): Promise<Result<UndecidedQuotes>> {
  return payShareOrAll(request, quote);
}

async function quote(request: Paid): Promise<Result<UndecidedQuotes>> {
  const chosen = await chooseQuotes.run(request);
  if (!chosen.ok) return chosen;
  // Without a token to quote in, neither the chain nor a price is read.
  if (chosen.value.chosen.tokens.length === 0) return accept(quotesAnswer(chosen.value, []));
  const quoted = await makeQuotes.run(chosen.value);
  return quoted.ok ? accept(quoted.value.answer) : quoted;
}
