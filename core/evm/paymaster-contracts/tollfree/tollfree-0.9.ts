import { type Address, encodeFunctionData, type Hex, keccak256, pad, parseAbi, toHex } from 'viem';
import type { UserOperationWithGas } from '../../../domain/user-operation.ts';
import { eip7702Marker, isEip7702InitCode } from '../../entry-point/eip7702-init-code.ts';
import { addressDigits, addressWord, keccakDigits, uintDigits } from '../../entry-point/hex-digits.ts';
import { accountGasLimitsWord, gasFeesWord, paymasterPrefix } from '../../entry-point/packed-user-operation.ts';
import { appendPaymasterSignature } from '../../entry-point/paymaster-signature.ts';
import { requiredPrefund } from '../../entry-point/required-prefund.ts';
import { appendSignature } from '../family/append-signature.ts';
import type { Grant, PaymasterContract, PaymasterContractFamily, PreflightCheck } from '../family/family.ts';
import { hashCheck, sampleSponsored, sampleToken } from '../family/preflight.ts';
import { stubSignature } from '../family/stub-signature.ts';
import { tokenCharge } from '../family/token-charge.ts';
import { mostSingletonAdvance } from '../singleton/singleton-charge.ts';
import { tollfreeGasLimits, tollfreePostOpGas } from './tollfree-gas.ts';
import { readTollfreeTerms, saysSignatureTrails, tollfreeTerms } from './tollfree-terms.ts';

const contractAbi = parseAbi([
  'function signers(address signer) view returns (bool)',
  'function isBundlerAllowed(address bundler) view returns (bool)',
  'function entryPoint() view returns (address)',
]);
const wordOfTrue: Hex = `0x${'1'.padStart(64, '0')}`;

const digestType = keccak256(
  toHex(
    'TollfreePaymaster(uint256 chainId,address paymaster,address entryPoint,address sender,uint256 nonce,' +
      'bytes32 initCodeHash,bytes32 callDataHash,bytes32 accountGasLimits,bytes32 paymasterGasLimits,' +
      'uint256 preVerificationGas,bytes32 gasFees,bytes32 termsHash)',
  ),
).slice(2);

/**
 * Tollfree's own paymaster for EntryPoint 0.9: both modes, several signers.
 *
 * `paymasterAndData = paymaster` (20) `‖ paymasterVerificationGasLimit` (16) `‖ paymasterPostOpGasLimit` (16) `‖`
 * {@link tollfreeTerms} `‖ signature` (65): 130 bytes `SPONSORED`, 206 `ERC20`. A signature that trails is followed by 10 bytes
 * more, and is not in the operation's hash.
 */
export const tollfree09: PaymasterContractFamily = {
  name: 'tollfree-0.9',
  entryPointVersion: '0.9',
  modes: ['SPONSORED', 'ERC20'],
  signatureExpiry: 'window',
  tokenPaymentEvents: parseAbi([
    'event TokensPaid(bytes32 indexed userOperationHash, address indexed sender, address indexed token, uint256 amount)',
  ]),
  withoutPayment: 'carried',
  mostInAdvance: mostSingletonAdvance,
  readPromise: readTollfreeTerms,
  paymasterGasLimits: tollfreeGasLimits,
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
    tollfree09.assemble(
      `0x${paymasterPrefix(contract.address, operation.gas)}${tollfreeTerms(contract, grant)}`,
      stubSignature,
    ),
  worstCase: requiredPrefund,
  maximumTokenCharge: (operation, grant) => tokenCharge(operation, grant, tollfreePostOpGas),
  preflight,
};

/** The contract's `getHash(userOp)`. */
function digest(contract: PaymasterContract, operation: UserOperationWithGas, terms: string): Hex {
  const { gas } = operation;
  const words =
    digestType +
    uintDigits(contract.chainId, 32) +
    addressWord(contract.address) +
    addressWord(contract.entryPoint) +
    addressWord(operation.sender) +
    uintDigits(operation.nonce, 32) +
    initCodeHash(operation) +
    keccakDigits(operation.callData.slice(2)) +
    accountGasLimitsWord(operation) +
    uintDigits(gas.paymasterVerificationGasLimit, 16) +
    uintDigits(gas.paymasterPostOpGasLimit, 16) +
    uintDigits(gas.preVerificationGas, 32) +
    gasFeesWord(operation) +
    keccakDigits(terms);
  return `0x${keccakDigits(words)}`;
}

/** Behind the marker of EIP-7702 the contract hashes whom the sender delegates to, as the EntryPoint does. */
function initCodeHash({ initCode, eip7702Delegate }: UserOperationWithGas): string {
  if (!isEip7702InitCode(initCode)) return keccakDigits(initCode.slice(2));
  if (eip7702Delegate === undefined) {
    throw new TypeError(
      'An operation with the EIP-7702 marker cannot be signed for without the delegate of its sender.',
    );
  }
  return keccakDigits(addressDigits(eip7702Delegate) + initCode.slice(eip7702Marker.length));
}

/** Our key among its `signers`, named bundlers allowed, its EntryPoint ours, its digests ours in both modes and both forms. */
function preflight(contract: PaymasterContract, signer: Address): readonly PreflightCheck[] {
  const grants: readonly Grant[] = [
    sampleSponsored,
    { ...sampleToken, inAdvance: 2n ** 90n + 5n },
    { ...sampleToken, signatureTrails: true },
  ];
  return [
    {
      data: encodeFunctionData({ abi: contractAbi, functionName: 'signers', args: [signer] }),
      expected: wordOfTrue,
      complaint: `does not have ${signer} among its signers`,
      remedy: 'Its owner adds it with addSigner, beside those that it has',
      about: 'signer',
    },
    {
      data: encodeFunctionData({ abi: contractAbi, functionName: 'entryPoint' }),
      expected: pad(contract.entryPoint).toLowerCase() as Hex,
      complaint: `was not made for the EntryPoint ${contract.entryPoint}`,
      remedy: 'A contract of this family keeps its EntryPoint for good: deploy another one',
    },
    ...(contract.bundlers ?? []).map((bundler) => ({
      data: encodeFunctionData({ abi: contractAbi, functionName: 'isBundlerAllowed', args: [bundler] }),
      expected: wordOfTrue,
      complaint: `does not allow the bundler ${bundler} (updateBundlerAllowlist)`,
    })),
    ...grants.map((grant) => hashCheck(tollfree09, contract, { grant }, {})),
  ];
}
