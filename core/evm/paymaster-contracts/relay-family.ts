import { maxBigint } from '../../base/values/integers.ts';
import type { EntryPointVersion } from '../../domain/entry-point-version.ts';
import type { PaymasterContractFamily } from './family/family.ts';

/**
 * Represents the paymaster contract of operations without one: nothing is added to the operation or signed. The maximum cost
 * is what the executors pay for its gas, with the price and overhead of the grant.
 */
export function relayFamily(entryPointVersion: EntryPointVersion): PaymasterContractFamily {
  return {
    name: `relay-${entryPointVersion}`,
    entryPointVersion,
    modes: ['SPONSORED'],
    // No window: the account's own signature is good until its nonce is used.
    signatureExpiry: 'never',
    paymasterGasLimits: () => ({ paymasterVerificationGasLimit: 0n, paymasterPostOpGasLimit: 0n }),
    prepare: () => ({ unsigned: '0x', digest: '0x' }),
    assemble: () => '0x',
    stub: () => '0x',
    worstCase: ({ gas }, grant) => {
      const relay = grant.mode === 'SPONSORED' ? grant.relay : undefined;
      if (relay === undefined) throw new TypeError('A relayed operation has no price yet.');
      const overhead = maxBigint(gas.preVerificationGas, relay.overheadGas);
      return (gas.callGasLimit + gas.verificationGasLimit + overhead) * relay.gasPrice + relay.dataFee;
    },
    maximumTokenCharge: () => 0n,
    preflight: () => [],
  };
}
