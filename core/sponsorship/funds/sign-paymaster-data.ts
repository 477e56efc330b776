import type { Hex } from 'viem';
import type { EntryPointVersion } from '../../domain/entry-point-version.ts';
import type { SignedPaymasterData } from '../../domain/sponsorship.ts';
import { userOperationHash } from '../../evm/entry-point/user-operation-hash.ts';
import type { Grant } from '../../evm/paymaster-contracts/family/family.ts';
import type { Identified } from '../request/identify.ts';
import type { SponsorshipParts } from '../run/sponsorship-parts.ts';
import type { Held } from './hold-worst-case.ts';

/** Bytes before the contract's own data: the address, and from 0.7 on two gas limits of 16 bytes. */
const headBytes = { '0.6': 20, '0.7': 52, '0.8': 52 } as const;

/**
 * Ninth step: signs what has been held for, and notes which hold the operation's hash belongs to. `state` is what the
 * contract was asked for before, where its digest needs that.
 */
export async function signPaymasterData(
  parts: SponsorshipParts,
  identified: Identified,
  { operation, grant, holdId }: Held<Grant>,
  state: Hex | undefined,
): Promise<Omit<SignedPaymasterData, 'decisionId'>> {
  const { family, place } = identified.contract;
  const { unsigned, digest } = family.prepare(place, operation, grant, state);
  const signature = await parts.sign(identified.chain.signer, digest);
  const paymasterAndData = family.assemble(unsigned, signature);
  const { entryPoint, chainId } = place;
  parts.signatures.record(userOperationHash({ operation, paymasterAndData, entryPoint, chainId }), holdId);
  return {
    kind: 'signed',
    mode: grant.mode,
    entryPointVersion: operation.entryPointVersion,
    paymaster: place.address,
    paymasterAndData,
    paymasterData: contractData(paymasterAndData, operation.entryPointVersion),
    gas: operation.gas,
    validUntil: grant.validUntil,
  };
}

/** The part of `paymasterAndData` that the contract alone knows. */
export function contractData(paymasterAndData: Hex, version: EntryPointVersion): Hex {
  return `0x${paymasterAndData.slice(2 + 2 * headBytes[version])}`;
}
