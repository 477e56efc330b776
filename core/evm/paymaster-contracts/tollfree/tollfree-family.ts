import { type Address, encodeFunctionData, type Hex, pad, parseAbi } from 'viem';
import type { UserOperationWithGas } from '../../../domain/user-operation.ts';
import { requiredPrefund } from '../../entry-point/entry-points.ts';
import { paymasterPrefix } from '../../entry-point/packed-user-operation.ts';
import { appendPaymasterSignature } from '../../entry-point/paymaster-signature.ts';
import type { Grant, PaymasterContract, PaymasterContractFamily, PreflightCheck } from '../family/family.ts';
import { hashCheck, sampleSponsored, sampleToken } from '../family/preflight.ts';
import { appendSignature, stubSignature } from '../family/signature.ts';
import { tokenCharge } from '../family/token-charge.ts';
import { mostSingletonAdvance } from '../singleton/singleton-charge.ts';
import { advanceReserve, tollfreeGasLimits, tollfreePostOpGas } from './tollfree-gas.ts';
import { saysSignatureTrails, tollfreeTerms } from './tollfree-terms.ts';

const contractAbi = parseAbi([
  'function signers(address signer) view returns (bool)',
  'function isBundlerAllowed(address bundler) view returns (bool)',
  'function entryPoint() view returns (address)',
]);
const samplePermit = { value: 2n ** 200n + 3n, deadline: 2n ** 40n + 1n, signature: stubSignature };
const wordOfTrue: Hex = `0x${'1'.padStart(64, '0')}`;

/** Tollfree's own paymaster contract for one EntryPoint version. */
type TollfreeVersion = Pick<PaymasterContractFamily, 'name' | 'entryPointVersion' | 'readPromise'> & {
  /** The contract's `getHash(userOp)`, for terms of {@link tollfreeTerms}. */
  digest(contract: PaymasterContract, operation: UserOperationWithGas, terms: string): Hex;
};

/**
 * Tollfree's own paymaster contract: both modes, several signers.
 *
 * `paymasterAndData = paymaster` (20) `‖ paymasterVerificationGasLimit` (16) `‖ paymasterPostOpGasLimit` (16) `‖` {@link
 * tollfreeTerms} `‖ signature` (65): 130 bytes `SPONSORED`, 206 `ERC20` without a permit. A trailing signature is followed
 * by 10 more bytes and is not in the operation's hash.
 */
export function createTollfreeFamily({ digest, ...version }: TollfreeVersion): PaymasterContractFamily {
  const family: PaymasterContractFamily = {
    ...version,
    modes: ['SPONSORED', 'ERC20'],
    signatureExpiry: 'window',
    paymasterGasLimits: tollfreeGasLimits,
    takesPermits: true,
    tokenPaymentEvents: parseAbi([
      'event TokensPaid(bytes32 indexed userOperationHash, address indexed sender, address indexed token, uint256 amount)',
    ]),
    withoutPayment: 'carried',
    mostInAdvance: mostSingletonAdvance,
    advanceGas: advanceReserve,
    prepare(contract, operation, grant) {
      const terms = tollfreeTerms(contract, grant);
      const unsigned: Hex = `0x${paymasterPrefix(contract.address, operation.gas)}${terms}`;
      return { unsigned, digest: digest(contract, operation, terms) };
    },
    assemble: (unsigned, signature) =>
      saysSignatureTrails(unsigned)
        ? appendPaymasterSignature(unsigned, signature)
        : appendSignature(unsigned, signature),
    stub: (contract, operation, grant) =>
      family.assemble(
        `0x${paymasterPrefix(contract.address, operation.gas)}${tollfreeTerms(contract, grant)}`,
        stubSignature,
      ),
    worstCase: requiredPrefund,
    maximumTokenCharge: (operation, grant) => tokenCharge(operation, grant, tollfreePostOpGas),
    preflight: (contract, signer) => preflight(family, contract, signer),
  };
  return family;
}

/**
 * Checks of the contract: our key is among its `signers`, named bundlers are allowed, its EntryPoint is ours, its digests
 * equal ours in both modes and both forms.
 */
function preflight(
  family: PaymasterContractFamily,
  contract: PaymasterContract,
  signer: Address,
): readonly PreflightCheck[] {
  const grants: readonly Grant[] = [
    sampleSponsored,
    { ...sampleToken, inAdvance: 2n ** 90n + 5n },
    { ...sampleToken, signatureTrails: true },
    { ...sampleToken, permit: samplePermit },
  ];
  return [
    {
      data: encodeFunctionData({ abi: contractAbi, functionName: 'signers', args: [signer] }),
      expected: wordOfTrue,
      complaint: `does not accept ${signer} as a signer`,
      remedy: 'Its owner can add it with addSigner and keep the existing ones',
      about: 'signer',
    },
    {
      data: encodeFunctionData({ abi: contractAbi, functionName: 'entryPoint' }),
      expected: pad(contract.entryPoint).toLowerCase() as Hex,
      complaint: `was not deployed for the EntryPoint ${contract.entryPoint}`,
      remedy: 'A contract of this family never changes its EntryPoint. Deploy another one',
    },
    ...(contract.bundlers ?? []).map((bundler) => ({
      data: encodeFunctionData({ abi: contractAbi, functionName: 'isBundlerAllowed', args: [bundler] }),
      expected: wordOfTrue,
      complaint: `does not allow the bundler ${bundler} (updateBundlerAllowlist)`,
    })),
    ...grants.map((grant) => hashCheck(family, contract, grant)),
  ];
}
