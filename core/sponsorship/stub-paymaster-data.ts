import type { PaymasterStub } from '../domain/paymaster-data.ts';
import { accept, type Result } from '../domain/result/result.ts';
import type { SponsorshipContext, SponsorshipMode } from '../domain/sponsorship.ts';
import type { GasLimits } from '../domain/user-operation.ts';
import type { Grant } from '../evm/paymaster-contracts/family/family.ts';
import { checkFunds } from './funds/check-funds.ts';
import { contractData } from './funds/sign-paymaster-data.ts';
import { paymasterLimits } from './gas/find-gas-limits.ts';
import { sponsorGrant } from './grant/sponsor-grant.ts';
import { stubGrant } from './grant/stub-grant.ts';
import { checkSponsorship } from './permission/check-sponsorship.ts';
import type { Identified } from './request/identify.ts';
import type { ReadOperation } from './request/read-user-operation.ts';
import type { SponsorshipRun } from './sponsorship-run.ts';
import { grantTokens } from './tokens/charge-tokens.ts';

/**
 * The stub stage of ERC-7677: every step that the signature will go through except the webhooks, the estimate, the hold
 * and the signature itself. A request that would be refused later for what is known now is refused here.
 */
export async function stubPaymasterData(
  run: SponsorshipRun,
  identified: Identified,
  read: ReadOperation,
  request: { readonly context: SponsorshipContext; readonly mode: SponsorshipMode },
): Promise<Result<Omit<PaymasterStub, 'decisionId'>>> {
  const { family, place } = identified.contract;
  const { context, mode } = request;
  const granted =
    mode === 'ERC20' ? await grantTokens(run, identified, read, context) : grant(run, identified, read, context);
  if (!granted.ok) return granted;
  const { operation: bare, givenGas } = read;
  const gas: GasLimits = {
    callGasLimit: givenGas.callGasLimit ?? 0n,
    verificationGasLimit: givenGas.verificationGasLimit ?? 0n,
    preVerificationGas: givenGas.preVerificationGas ?? 0n,
    ...paymasterLimits(givenGas, family.paymasterGasLimits(mode)),
  };
  const operation = { ...bare, gas };
  const funded = await checkFunds(run, identified, operation, granted.value);
  if (!funded.ok) return funded;
  const paymasterAndData = family.stub(place, operation, stubGrant(granted.value));
  return accept({
    kind: 'stub',
    mode,
    ...(mode === 'SPONSORED' ? { sponsorName: identified.profile.paymaster.name } : {}),
    entryPointVersion: bare.entryPointVersion,
    paymaster: place.address,
    paymasterAndData,
    paymasterData: contractData(paymasterAndData, bare.entryPointVersion),
    paymasterVerificationGasLimit: gas.paymasterVerificationGasLimit,
    paymasterPostOpGasLimit: gas.paymasterPostOpGasLimit,
  });
}

function grant(
  run: SponsorshipRun,
  identified: Identified,
  read: ReadOperation,
  context: SponsorshipContext,
): Result<Grant> {
  const permitted = checkSponsorship(run, identified, read, context, context.smartAccountInfo);
  return permitted.ok ? accept(sponsorGrant(identified, permitted.value, run.clock)) : permitted;
}
