import { omitAbsent } from '@tollfree/contract/omit-absent';
import { getAddress } from 'viem';
import type { ChainConfig } from '../../domain/core-config.ts';
import type { ServedChain } from '../../domain/paymaster.ts';
import { paymasterContractFamilies } from '../../evm/paymaster-contracts/families.ts';

/** What the configuration has, whether the chains answer now or not. */
export function servedChains(chains: readonly ChainConfig[]): readonly ServedChain[] {
  return chains.map(({ chainId, name, entryPoints, paymasterContracts, explorerPageUrl }) => ({
    chainId,
    name,
    ...omitAbsent({ explorerPageUrl }),
    contracts: paymasterContracts.flatMap(({ version, family, address }) => {
      const entryPointVersion = paymasterContractFamilies.get(family)?.entryPointVersion;
      const entryPoint = entryPointVersion && entryPoints[entryPointVersion];
      if (entryPointVersion === undefined || entryPoint === undefined) return [];
      return [{ version, family, address: getAddress(address), entryPointVersion, entryPoint: getAddress(entryPoint) }];
    }),
  }));
}
