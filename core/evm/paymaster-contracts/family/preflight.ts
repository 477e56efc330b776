import { type AbiFunction, type Address, encodeFunctionData, type Hex, pad, parseAbi, parseAbiItem } from 'viem';
import { mainnetPrices } from '../../../domain/unit-prices.ts';
import type { UserOperationWithGas } from '../../../domain/user-operation.ts';
import { entryPointOf } from '../../entry-point/entry-points.ts';
import type { PaymasterContract, PaymasterContractFamily, PreflightCheck, SignedTerms } from './family.ts';

const userOperation06 =
  'struct UserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; uint256 callGasLimit; uint256 verificationGasLimit; uint256 preVerificationGas; uint256 maxFeePerGas; uint256 maxPriorityFeePerGas; bytes paymasterAndData; bytes signature; }';
const userOperation07 =
  'struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }';
const verifyingSignerAbi = parseAbi(['function verifyingSigner() view returns (address)']);

const sampleSignature: Hex = `0x${'11'.repeat(65)}`;
const sampleAddress: Address = '0x1111111111111111111111111111111111111111';
const sampleWindow = { validUntil: 2_000_000_001, validAfter: 1_000_000_002 };

/** Grants with a value in every field. Every contract with a markup accepts this one. */
export const sampleSponsored = {
  mode: 'SPONSORED',
  ...sampleWindow,
  fundingWallet: '0x6666666666666666666666666666666666666666',
  priceMarkup: 1_234_567,
} as const satisfies SignedTerms;
export const sampleToken = {
  mode: 'ERC20',
  ...sampleWindow,
  token: '0x5555555555555555555555555555555555555555',
  exchangeRate: 2n ** 70n + 3n,
  tokenRecipient: '0x7777777777777777777777777777777777777777',
  prices: mainnetPrices,
} as const satisfies SignedTerms;

/** The samples' `validUntil` and `validAfter`, in the types of most contracts' `getHash`. */
export const typedWindow: readonly Typed[] = [
  ['uint48', sampleWindow.validUntil],
  ['uint48', sampleWindow.validAfter],
];

/** An operation with a value in every field, so that its digest differs if a field is missing or misplaced. */
export function sampleOperation({ entryPointVersion }: EntryPointPart): UserOperationWithGas {
  return {
    entryPointVersion,
    sender: sampleAddress,
    nonce: 2n ** 200n + 7n,
    initCode: '0x222222222222222222222222222222222222222233',
    callData: '0xb61d27f64444',
    maxFeePerGas: 5_000_000_005n,
    maxPriorityFeePerGas: 6n,
    signature: '0x',
    gas: {
      callGasLimit: 101n,
      verificationGasLimit: 102n,
      preVerificationGas: 103n,
      ...(entryPointOf(entryPointVersion).isPacked
        ? { paymasterVerificationGasLimit: 104n, paymasterPostOpGasLimit: 105n }
        : { paymasterVerificationGasLimit: 0n, paymasterPostOpGasLimit: 0n }),
    },
  };
}

type EntryPointPart = Pick<PaymasterContractFamily, 'entryPointVersion'>;

/** How to change the signer of a contract with one signer. */
export const fixedSigner =
  'A contract of this family never changes its signer. Deploy another one and configure it under its own version';
export const replaceableSigner =
  'Its owner can set another signer with setSigner (setVerifyingSigner in some versions), which invalidates all signatures of the old one';

/** Our key is the contract's one `verifyingSigner`. */
export function verifyingSignerCheck(signer: Address, remedy: string): PreflightCheck {
  return {
    data: encodeFunctionData({ abi: verifyingSignerAbi }),
    expected: pad(signer).toLowerCase() as Hex,
    complaint: `does not have ${signer} as its signer`,
    remedy,
    about: 'signer',
  };
}

/**
 * Checks that the contract's `getHash` of a sample equals our digest. `before` and `after` are the parameters around the
 * operation, each as its type and its value; `state` is that of `prepare`.
 */
export function hashCheck(
  family: Pick<PaymasterContractFamily, 'entryPointVersion' | 'prepare' | 'assemble'>,
  contract: PaymasterContract,
  signedTerms: SignedTerms,
  after: readonly Typed[] = [],
  { before = [], state }: { readonly before?: readonly Typed[]; readonly state?: Hex } = {},
): PreflightCheck {
  const operation = sampleOperation(family);
  const { unsigned, digest } = family.prepare(contract, operation, signedTerms, state);
  const paymasterAndData = family.assemble(unsigned, sampleSignature);
  const { isPacked, toStruct } = entryPointOf(family.entryPointVersion);
  const types = [
    ...before.map(([type]) => type),
    isPacked ? 'PackedUserOperation userOp' : 'UserOperation userOp',
    ...after.map(([type]) => type),
  ];
  const abi: AbiFunction = parseAbiItem([
    `function getHash(${types.join(', ')}) view returns (bytes32)`,
    isPacked ? userOperation07 : userOperation06,
  ]) as AbiFunction;
  const struct = toStruct(operation, paymasterAndData);
  const args = [...before.map(([, value]) => value), struct, ...after.map(([, value]) => value)];
  return {
    data: encodeFunctionData({ abi: [abi], args }),
    expected: digest,
    complaint: `hashes an operation in mode ${signedTerms.mode} differently than its family`,
  };
}

type Typed = readonly [type: string, value: Address | bigint | number];
