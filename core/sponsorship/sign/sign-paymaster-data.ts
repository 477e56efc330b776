import type { Hex } from 'viem';
import type { EntryPointVersion } from '../../domain/entry-point-version.ts';
import { accept } from '../../domain/result/result.ts';
import type { SignedPaymasterData } from '../../domain/sponsorship.ts';
import { entryPointOf, userOperationHash } from '../../evm/entry-point/entry-points.ts';
import { trailingData } from '../../evm/entry-point/paymaster-signature.ts';
import { mayEndUnpaid } from '../../evm/paymaster-contracts/family/terms.ts';
import type { WithSimulation } from '../gas/choose-gas.ts';
import type { DigestState } from '../gas/read-digest-state.ts';
import type { Held } from '../hold/hold-worst-case.ts';
import type { Identified } from '../identify/identify.ts';
import type { Asked, Step } from '../run/steps.ts';

/** A signature to answer with, except its decision's id. */
export type UndecidedSignature = Omit<SignedPaymasterData, 'decisionId'>;

/** Signs what has been held for, and records which hold the operation's hash belongs to. */
export const sign: Step<
  Asked & Identified & Held & Partial<DigestState & WithSimulation>,
  { readonly answer: UndecidedSignature }
> = async ({
  parts,
  draft,
  profile,
  contract,
  operation,
  signedTerms,
  holdId,
  prepared,
  state,
  isSimulated = false,
}) => {
  const { family, location } = contract;
  const { unsigned, digest } = prepared ?? family.prepare(location, operation, signedTerms, state);
  const signature = await parts.sign(contract.signer, digest);
  const paymasterAndData = family.assemble(unsigned, signature);
  const { entryPoint, chainId } = location;
  parts.signatures.record({
    paymasterId: profile.paymaster.paymasterId,
    userOperationHash: userOperationHash({ operation, paymasterAndData, entryPoint, chainId }),
    holdId,
    atRisk: mayEndUnpaid(family, signedTerms),
    simulated: isSimulated,
    decisionId: draft.decisionId,
  });
  return accept({
    answer: {
      kind: 'signed',
      mode: signedTerms.mode,
      entryPointVersion: operation.entryPointVersion,
      paymaster: location.address,
      paymasterAndData,
      paymasterData: contractData(paymasterAndData, operation.entryPointVersion),
      ...(signedTerms.signatureTrails === true ? trailingData(paymasterAndData) : {}),
      gas: operation.gas,
      validUntil: signedTerms.validUntil,
    },
  });
};

/** The contract's own part of `paymasterAndData`. */
export function contractData(paymasterAndData: Hex, version: EntryPointVersion): Hex {
  return `0x${paymasterAndData.slice(2 + 2 * entryPointOf(version).paymasterHeadBytes)}`;
}
