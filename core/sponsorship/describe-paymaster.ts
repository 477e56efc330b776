import { zeroAddress } from 'viem';
import type { EntryPointVersion } from '../domain/entry-point-version.ts';
import type { PaymasterDescription, PaymasterKey, StubFields } from '../domain/paymaster-data.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { UserOperationWithGas } from '../domain/user-operation.ts';
import { wholePercent } from '../domain/user-share.ts';
import { endOfTime } from '../evm/entry-point/entry-point-abi.ts';
import type { Grant } from '../evm/paymaster-contracts/family/family.ts';
import type { TokenRate } from '../quotes/token-rates.ts';
import { type Identified, identifyForEntryPoint } from './identify/identify.ts';
import type { SponsorshipParts } from './run/sponsorship-parts.ts';
import { contractData } from './sign/sign-paymaster-data.ts';
import { stubGrant } from './terms/stub-grant.ts';
import { takenTokens } from './tokens/taken-tokens.ts';
import { tokenGrant } from './tokens/token-grant.ts';

/**
 *
 *
 * `pm_supportedERC20Tokens`: what a client needs to know before it has an operation. Tokens without a price are left out.
 */
export async function describePaymaster(
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
  const grant = sampleGrant(identified.value, rates);
  if (grant === undefined) {
    return refuse({
      reason: 'PRICE_UNAVAILABLE',
      message: 'No token that this paymaster accepts has a price at the moment.',
    });
  }
  return accept({
    name: profile.paymaster.name,
    stub: stubFields(identified.value, grant),
    tokens: rates.map(({ token: { address, symbol, decimals }, rateWithPremium }) => ({
      address,
      symbol,
      decimals,
      exchangeRate: rateWithPremium,
    })),
  });
}

/** A sample grant, never signed. Undefined if only tokens are accepted and none has a price. */
function sampleGrant(identified: Identified, [rate]: readonly TokenRate[]): Grant | undefined {
  const { contract, profile } = identified;
  const window = { validUntil: endOfTime, validAfter: 0 };
  if (contract.family.modes.includes('SPONSORED')) {
    const fundingWallet = profile.paymaster.fundingWallet ?? zeroAddress;
    return { mode: 'SPONSORED', ...window, fundingWallet, priceMarkup: contract.priceMarkup };
  }
  return rate === undefined ? undefined : tokenGrant({ ...identified, userPercent: wholePercent }, rate, window);
}

function stubFields({ contract: { family, location } }: Identified, grant: Grant): StubFields {
  const { entryPointVersion } = family;
  const limits = family.paymasterGasLimits(grant.mode);
  const paymasterAndData = family.stub(location, sampleOperation(entryPointVersion, limits), stubGrant(grant));
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
