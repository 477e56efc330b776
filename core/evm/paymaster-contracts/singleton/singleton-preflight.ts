import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem';
import type { PaymasterContract, PaymasterContractFamily, PreflightCheck } from '../family/family.ts';
import { hashCheck, sampleSponsored, sampleToken } from '../family/preflight.ts';

const signersAbi = parseAbi(['function signers(address signer) view returns (bool)']);
const wordOfTrue: Hex = `0x${'1'.padStart(64, '0')}`;

/** Pimlico's singleton: our key among its `signers`, its `getHash` of a sample equal to our digest in both modes. */
export function singletonPreflight(
  family: Pick<PaymasterContractFamily, 'entryPointVersion' | 'prepare' | 'assemble'>,
  contract: PaymasterContract,
  signer: Address,
): readonly PreflightCheck[] {
  return [
    {
      data: encodeFunctionData({ abi: signersAbi, functionName: 'signers', args: [signer] }),
      expected: wordOfTrue,
      complaint: `does not have ${signer} among its signers`,
      remedy: 'Its manager adds it with addSigner, beside those that it has',
    },
    hashCheck(family, contract, { grant: sampleSponsored }, { before: [['uint8', 0]] }),
    hashCheck(family, contract, { grant: sampleToken }, { before: [['uint8', 1]] }),
  ];
}
