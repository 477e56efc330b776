import { omitAbsent } from '@tollfree/contract/omit-absent';
import { isAbsent } from '@tollfree/contract/rpc/field-forms';
import { zeroAddress } from 'viem';
import type { Core } from '../domain/core.ts';
import type { EntryPointVersion } from '../domain/entry-point-version.ts';
import type { PaymasterDescription, PaymasterKey, StubFields, TokenRateQuote } from '../domain/paymaster-data.ts';
import type { Refusal } from '../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { UnitPrices } from '../domain/unit-prices.ts';
import { noGas, type UserOperationWithGas } from '../domain/user-operation.ts';
import { wholePercent } from '../domain/user-share.ts';
import { endOfTime } from '../evm/entry-point/entry-point-abi.ts';
import type { PaymasterContractFamily, SignedTerms, TokenTerms } from '../evm/paymaster-contracts/family/family.ts';
import { gasScheduleOf } from '../gas/gas-schedule.ts';
import { type TokenRate, usdMicros } from '../quotes/token-rates.ts';
import { type Identified, identify, identifyForEntryPoint } from './identify/identify.ts';
import type { SponsorshipParts } from './run/sponsorship-parts.ts';
import { contractData } from './sign/sign-paymaster-data.ts';
import { stubTerms } from './sponsored-terms.ts';
import { chooseTokens, takenTokens } from './tokens/choose-tokens.ts';
import { tokenTerms } from './tokens/token-terms.ts';

/** One base unit of the token for one wei. */
const termsAtPar: Omit<TokenTerms, 'prices'> = {
  mode: 'ERC20',
  validUntil: 1,
  validAfter: 1,
  token: zeroAddress,
  exchangeRate: 10n ** 18n,
  tokenRecipient: zeroAddress,
};

/**
 * Gas that a family charges the user in addition to the operation's own limits, without premium: its charge for an operation
 * without limits at 1 wei per gas and one token unit per wei.
 */
function postOpGas(family: PaymasterContractFamily, prices: UnitPrices): bigint {
  const operation: UserOperationWithGas = {
    entryPointVersion: family.entryPointVersion,
    sender: zeroAddress,
    nonce: 0n,
    initCode: '0x',
    callData: '0x',
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 1n,
    signature: '0x',
    gas: noGas,
  };
  return family.maximumTokenCharge(operation, { ...termsAtPar, prices });
}

const coinDecimals = 18;
const weiPerCoin = 10n ** 18n;

/** Answers about a paymaster that need no operation. */
export function createTokenInformation(
  parts: SponsorshipParts,
): Pick<Core, 'quoteTokenRates' | 'listSupportedTokens' | 'listEntryPoints' | 'describePaymaster'> {
  return {
    quoteTokenRates: (request) => quoteRates(parts, request),
    listSupportedTokens: async (request) => {
      const identified = await identify(parts, request);
      if (!identified.ok) return identified;
      const { tokens } = takenTokens(identified.value);
      return accept(tokens.map(({ address, symbol, decimals }) => ({ address, symbol, decimals })));
    },
    describePaymaster: (request) => describePaymaster(parts, request),
    listEntryPoints: async (request) => {
      const identified = await identify(parts, request);
      return identified.ok ? accept([identified.value.contract.location.entryPoint]) : identified;
    },
  };
}

/** Leaves out tokens that are not accepted, and tokens without a price unless none would remain. */
async function quoteRates(
  parts: SponsorshipParts,
  request: PaymasterKey & { readonly entryPoint: string; readonly tokens: readonly string[] },
): Promise<Result<readonly TokenRateQuote[]>> {
  const identified = await identifyForEntryPoint(parts, request);
  if (!identified.ok) return identified;
  if (request.tokens.every(isAbsent)) return accept([]);
  const { chain, contract } = identified.value;
  const { rates } = chain;
  const { tokens } = chooseTokens({ tokenList: request.tokens }, takenTokens(identified.value));
  const results = await Promise.all(tokens.map((token) => rates.rate(token, contract.premiumBasisPoints)));
  const quotes: TokenRateQuote[] = [];
  let unpriced: Refusal | undefined;
  for (const result of results) {
    if (result.ok) quotes.push(quote(identified.value, result.value));
    else unpriced ??= result.refusal;
  }
  return quotes.length === 0 && unpriced !== undefined ? refuse(unpriced) : accept(quotes);
}

function quote({ chain, contract }: Identified, rate: TokenRate): TokenRateQuote {
  const { balanceSlot, allowanceSlot } = rate.token;
  return {
    ...omitAbsent({ balanceSlot, allowanceSlot }),
    token: rate.token.address,
    paymaster: contract.location.address,
    exchangeRate: rate.rateWithPremium,
    postOpGas: postOpGas(contract.family, gasScheduleOf(chain.client)),
    nativeUsdMicros: usdMicros(weiPerCoin, rate.nativeUsd, coinDecimals),
  };
}

/**
 * `pm_supportedERC20Tokens`: what a client needs to know before it has an operation. Tokens without a price are left out.
 */
async function describePaymaster(
  parts: SponsorshipParts,
  request: PaymasterKey & { readonly entryPoint: string },
): Promise<Result<PaymasterDescription>> {
  const identified = await identifyForEntryPoint(parts, request);
  if (!identified.ok) return identified;
  const { chain, contract, profile } = identified.value;
  const asked = await Promise.all(
    takenTokens(identified.value).tokens.map((token) => chain.rates.rate(token, contract.premiumBasisPoints)),
  );
  const rates = asked.flatMap((rate) => (rate.ok ? [rate.value] : []));
  const signedTerms = sampleTerms(identified.value, rates);
  if (signedTerms === undefined) {
    return refuse({
      reason: 'PRICE_UNAVAILABLE',
      message: 'No token that this paymaster accepts has a price at the moment.',
    });
  }
  return accept({
    name: profile.paymaster.name,
    stub: stubFields(identified.value, signedTerms),
    tokens: rates.map(({ token: { address, symbol, decimals }, rateWithPremium }) => ({
      address,
      symbol,
      decimals,
      exchangeRate: rateWithPremium,
    })),
  });
}

/** Sample terms, never signed. Undefined if only tokens are accepted and none has a price. */
function sampleTerms(identified: Identified, [rate]: readonly TokenRate[]): SignedTerms | undefined {
  const { contract, profile } = identified;
  const window = { validUntil: endOfTime, validAfter: 0 };
  if (contract.family.modes.includes('SPONSORED')) {
    const fundingWallet = profile.paymaster.fundingWallet ?? zeroAddress;
    return { mode: 'SPONSORED', ...window, fundingWallet, priceMarkup: contract.priceMarkup };
  }
  return rate === undefined ? undefined : tokenTerms({ ...identified, userPercent: wholePercent }, rate, window);
}

function stubFields({ chain, contract: { family, location } }: Identified, signedTerms: SignedTerms): StubFields {
  const { entryPointVersion } = family;
  const limits = family.paymasterGasLimits(signedTerms.mode, gasScheduleOf(chain.client));
  const paymasterAndData = family.stub(location, sampleOperation(entryPointVersion, limits), stubTerms(signedTerms));
  return {
    entryPointVersion,
    paymaster: location.address,
    paymasterAndData,
    paymasterData: contractData(paymasterAndData, entryPointVersion),
    ...limits,
  };
}

function sampleOperation(
  entryPointVersion: EntryPointVersion,
  limits: Pick<StubFields, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>,
): UserOperationWithGas {
  return {
    entryPointVersion,
    sender: zeroAddress,
    nonce: 0n,
    initCode: '0x',
    callData: '0x',
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
    signature: '0x',
    gas: { callGasLimit: 0n, verificationGasLimit: 0n, preVerificationGas: 0n, ...limits },
  };
}
