import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { packUserOperation } from '../entry-point/packed-user-operation.ts';
import { toUserOperation06 } from '../entry-point/user-operation-0.6.ts';
import type { Grant, PaymasterContract, PaymasterContractFamily } from './family.ts';
import { type Preflight, sampleOperation } from './preflight.ts';

const signersAbi = parseAbi(['function signers(address signer) view returns (bool)']);
const hash06Abi = parseAbi([
  'struct UserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; uint256 callGasLimit; uint256 verificationGasLimit; uint256 preVerificationGas; uint256 maxFeePerGas; uint256 maxPriorityFeePerGas; bytes paymasterAndData; bytes signature; }',
  'function getHash(uint8 mode, UserOperation userOp) view returns (bytes32)',
]);
const hash07Abi = parseAbi([
  'struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
  'function getHash(uint8 mode, PackedUserOperation userOp) view returns (bytes32)',
]);

const wordOfTrue: Hex = `0x${'1'.padStart(64, '0')}`;
/** Mode byte of the contract's `getHash`. */
const modeNumber = { SPONSORED: 0, ERC20: 1 } as const;
const sampleSignature: Hex = `0x${'11'.repeat(65)}`;

/** Pimlico's singleton: our key among its `signers`, its `getHash` of a sample equal to our digest in both modes. */
export const singletonPreflight: Preflight = (family, contract, signer) => [
  {
    data: encodeFunctionData({ abi: signersAbi, functionName: 'signers', args: [signer] }),
    expected: wordOfTrue,
    complaint: `does not have ${signer} among its signers`,
  },
  ...sampleGrants(contract.address).map((grant) => hashCheck(family, contract, grant)),
];

function sampleGrants(treasury: Address): readonly Grant[] {
  const window = { validUntil: 2_000_000_001, validAfter: 1_000_000_002 };
  const token: Address = '0x5555555555555555555555555555555555555555';
  return [
    { mode: 'SPONSORED', ...window },
    { mode: 'ERC20', ...window, token, exchangeRate: 2n ** 70n + 3n, treasury },
  ];
}

function hashCheck(family: PaymasterContractFamily, contract: PaymasterContract, grant: Grant) {
  const operation = sampleOperation(family);
  const { unsigned, digest } = family.prepare(contract, operation, grant);
  const paymasterAndData = family.assemble(unsigned, sampleSignature);
  const mode = modeNumber[grant.mode];
  const data =
    family.entryPointVersion === '0.6'
      ? encodeFunctionData({
          abi: hash06Abi,
          functionName: 'getHash',
          args: [mode, toUserOperation06(operation, paymasterAndData)],
        })
      : encodeFunctionData({
          abi: hash07Abi,
          functionName: 'getHash',
          args: [mode, packUserOperation(operation, paymasterAndData)],
        });
  return { data, expected: digest, complaint: `hashes an operation in mode ${grant.mode} otherwise than its family` };
}
