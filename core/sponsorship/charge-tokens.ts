import { accept, type Result, refuse } from '../domain/result.ts';
import type { SignedPaymasterData, SponsorshipContext } from '../domain/sponsorship.ts';
import type { TokenGrant } from '../paymaster-contracts/family.ts';
import { checkGasPrice } from './check-caps.ts';
import { namedFeeToken } from './choose-tokens.ts';
import { chooseWindow } from './choose-window.ts';
import { findGasLimits } from './find-gas-limits.ts';
import { guardGasLimits } from './guard-gas-limits.ts';
import { holdWorstCase } from './hold-worst-case.ts';
import type { Identified } from './identify.ts';
import { keepQuote } from './keep-quote.ts';
import { takesNoTokens, tokenGrant } from './quote-tokens.ts';
import { readLifetime } from './read-context.ts';
import type { ReadOperation } from './read-user-operation.ts';
import { signPaymasterData } from './sign-paymaster-data.ts';
import type { SponsorshipParts } from './sponsorship-parts.ts';
import { viewChain } from './view-chain.ts';

/**
 * Mode `ERC20` of `pm_sponsorUserOperation`: the user pays in a token, the sponsor's deposit advances the gas. Contracts,
 * webhooks and sponsorship limits do not apply; the operator's caps and the funds do.
 */
export async function chargeTokens(
  parts: SponsorshipParts,
  identified: Identified,
  read: ReadOperation,
  context: SponsorshipContext,
): Promise<Result<Omit<SignedPaymasterData, 'decisionId'>>> {
  const granted = await grantTokens(parts, identified, read, context);
  if (!granted.ok) return granted;
  const calculate = context.calculateGasLimits !== false;
  const gas = await findGasLimits({ identified, read, calculate, grant: granted.value, callGasAllowance: 0n });
  if (!gas.ok) return gas;
  const operation = { ...read.operation, gas: gas.value };
  const guarded = await guardGasLimits(identified, operation, granted.value, calculate ? 'estimated' : 'given');
  if (!guarded.ok) return guarded;
  const kept = keepQuote(parts, identified, operation, granted.value);
  if (!kept.ok) return kept;
  const hold = await holdWorstCase(parts, identified, operation, kept.value);
  if (!hold.ok) return hold;
  return accept(await signPaymasterData(parts, identified, operation, kept.value, hold.value));
}

/** What a signature in token mode would grant now: the token, its price, the time. Refuses what can be refused now. */
export async function grantTokens(
  parts: SponsorshipParts,
  identified: Identified,
  read: ReadOperation,
  context: SponsorshipContext,
): Promise<Result<TokenGrant>> {
  const { chain, contract } = identified;
  const named = namedFeeToken(context.tokenInfo);
  if (named === undefined) {
    return refuse({
      reason: 'INVALID_PARAMS',
      message: 'tokenInfo.feeTokenAddress must be a string',
      field: 'tokenInfo.feeTokenAddress',
    });
  }
  if (!contract.family.modes.includes('ERC20')) return takesNoTokens(contract.version);
  const lifetime = readLifetime(context.expiryDuration, parts.validity);
  if (!lifetime.ok) return lifetime;
  const token = chain.rates.find(named);
  if (token === undefined) {
    return refuse({
      reason: 'TOKEN_NOT_SUPPORTED',
      message: 'The token in tokenInfo.feeTokenAddress is not taken on this chain.',
      field: 'tokenInfo.feeTokenAddress',
    });
  }
  const priced = checkGasPrice(read.operation, chain.config);
  if (!priced.ok) return priced;
  const view = viewChain(chain);
  if (!view.ok) return view;
  const rate = await chain.rates.rate(token, contract.premiumBasisPoints);
  if (!rate.ok) return rate;
  return accept(tokenGrant(identified, rate.value, chooseWindow(lifetime.value, view.value, parts.clock)));
}
