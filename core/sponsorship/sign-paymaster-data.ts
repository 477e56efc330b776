import type { Hex } from 'viem';
import type { SignedPaymasterData } from '../domain/sponsorship.ts';
import type { UserOperationWithGas } from '../domain/user-operation.ts';
import { userOperationHash } from '../entry-point/user-operation-hash.ts';
import type { Grant } from '../paymaster-contracts/family.ts';
import type { Identified } from './identify.ts';
import type { SponsorshipParts } from './sponsorship-parts.ts';

/** Bytes before the contract's own data: the address, and from 0.7 on two gas limits of 16 bytes. */
const headBytes = { '0.6': 20, '0.7': 52, '0.8': 52 } as const;

/** Ninth step: signs what has been held for, and notes which hold the operation's hash belongs to. */
export async function signPaymasterData(
  parts: SponsorshipParts,
  identified: Identified,
  operation: UserOperationWithGas,
  grant: Grant,
  hold: { readonly holdId: number },
): Promise<Omit<SignedPaymasterData, 'decisionId'>> {
  const { family, place } = identified.contract;
  const { unsigned, digest } = family.prepare(place, operation, grant);
  const signature = await identified.chain.signer.signDigest(digest);
  const paymasterAndData = family.assemble(unsigned, signature);
  const { entryPoint, chainId } = place;
  parts.signatures.record(userOperationHash({ operation, paymasterAndData, entryPoint, chainId }), hold.holdId);
  return {
    kind: 'signed',
    mode: grant.mode,
    entryPointVersion: operation.entryPointVersion,
    paymaster: place.address,
    paymasterAndData,
    paymasterData: dropBytes(paymasterAndData, headBytes[operation.entryPointVersion]),
    gas: operation.gas,
    validUntil: grant.validUntil,
  };
}

function dropBytes(hex: Hex, bytes: number): Hex {
  return `0x${hex.slice(2 + 2 * bytes)}`;
}
