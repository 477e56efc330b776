import { zeroAddress } from 'viem';
import type { Core } from '../domain/core.ts';
import type { PaymasterKey, TokenRateQuote } from '../domain/paymaster-data.ts';
import type { Refusal } from '../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { UserOperationWithGas } from '../domain/user-operation.ts';
import type { PaymasterContractFamily, TokenGrant } from '../evm/paymaster-contracts/family/family.ts';
import { type TokenRate, usdMicros } from '../quotes/token-rates.ts';
import { describePaymaster } from './describe-paymaster.ts';
import { type Identified, identify, identifyForEntryPoint } from './identify/identify.ts';
import type { SponsorshipParts } from './run/sponsorship-parts.ts';
import { chooseTokens, takenTokens } from './tokens/choose-tokens.ts';

/** One base unit of the token for one wei. */
const grantAtPar: TokenGrant = {
  mode: 'ERC20',
  validUntil: 1,
  validAfter: 1,
  token: zeroAddress,
  exchangeRate: 10n ** 18n,
  treasury: zeroAddress,
};

/**
 * Gas that a family charges the user in addition to the operation's own limits, without premium: its charge for an operation
 * without limits at 1 wei per gas and one token unit per wei.
 */
function postOpGas(family: PaymasterContractFamily): bigint {
  const operation: UserOperationWithGas = {
    entryPointVersion: family.entryPointVersion,
    sender: zeroAddress,
    nonce: 0n,
    initCode: '0x',
    callData: '0x',
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 1n,
    signature: '0x',
    gas: {
      callGasLimit: 0n,
      verificationGasLimit: 0n,
      preVerificationGas: 0n,
      paymasterVerificationGasLimit: 0n,
      paymasterPostOpGasLimit: 0n,
    },
  };
  return family.maximumTokenCharge(operation, grantAtPar);
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
  if (request.tokens.every((address) => address === '')) return accept([]);
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

function quote({ contract }: Identified, rate: TokenRate): TokenRateQuote {
  return {
    token: rate.token.address,
    paymaster: contract.location.address,
    exchangeRate: rate.rateWithPremium,
    postOpGas: postOpGas(contract.family),
    nativeUsdMicros: usdMicros(weiPerCoin, rate.nativeUsd, coinDecimals),
  };
}
