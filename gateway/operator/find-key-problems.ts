import type { OperatorStatus } from '@tollfree/contract/operator';
import type { ContractSigner } from '../../core/domain/signing/contract-signer.ts';

/** Keys that a contract does not accept. A key that does not sign is reported as a part that is not ready. */
export function findKeyProblems(signers: readonly ContractSigner[]): OperatorStatus['problems'] {
  return signers
    .filter(({ state, complaint }) => state === 'not-trusted' && complaint !== undefined)
    .map(({ chainId, contract, signer, complaint = '', remedy }) => ({
      what: `The key ${signer} does not sign for ${contract} of chain ${chainId}: ${complaint}`,
      remedy:
        remedy ?? 'Let the contract accept the key, or fix the configuration, as tollfree paymaster-contract shows.',
    }));
}
