import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem';
import type { PaymasterContract, PaymasterContractFamily, PreflightCheck } from '../family/family.ts';
import { hashCheck, sampleSponsored, sampleToken } from '../family/preflight.ts';

const singletonAbi = parseAbi([
  'function signers(address signer) view returns (bool)',
  'function isBundlerAllowed(address bundler) view returns (bool)',
]);
const wordOfTrue: Hex = `0x${'1'.padStart(64, '0')}`;

/** Pimlico's singleton: our key among its `signers`, named bundlers allowed, its `getHash` of a sample equal to our digest in both modes. */
export function singletonPreflight(
  family: Pick<PaymasterContractFamily, 'entryPointVersion' | 'prepare' | 'assemble'>,
  contract: PaymasterContract,
  signer: Address,
): readonly PreflightCheck[] {
  return [
    {
      data: encodeFunctionData({ abi: singletonAbi, functionName: 'signers', args: [signer] }),
      expected: wordOfTrue,
      complaint: `does not accept ${signer} as a signer`,
      remedy: 'Its manager can add it with addSigner and keep the existing ones',
      about: 'signer',
    },
    ...(contract.bundlers ?? []).map((bundler) => ({
      data: encodeFunctionData({ abi: singletonAbi, functionName: 'isBundlerAllowed', args: [bundler] }),
      expected: wordOfTrue,
      complaint: `does not allow the bundler ${bundler} (updateBundlerAllowlist)`,
    })),
    hashCheck(family, contract, { grant: sampleSponsored }, { before: [['uint8', 0]] }),
    hashCheck(family, contract, { grant: sampleToken }, { before: [['uint8', 1]] }),
  ];
}
