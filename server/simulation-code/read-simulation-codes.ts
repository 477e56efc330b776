import type { Address, Hex } from 'viem';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { addressOnChain, codeInFull } from '../../core/gas/simulation/simulation-code.ts';
import { askChain, type ChainAccess } from '../paymaster-contract/chain-access.ts';
import { configuredContracts } from '../paymaster-contract/configured-contract.ts';

/** A code that simulations otherwise put on chain for one call, and whether it is deployed. */
export type SimulationCodeThere = {
  readonly name: string;
  readonly code: Hex;
  readonly address: Address;
  readonly isThere: boolean;
};

/** The simulation codes of the chain's EntryPoints, without duplicates. */
export async function readSimulationCodes({ chain, client }: ChainAccess): Promise<readonly SimulationCodeThere[]> {
  const { chainId } = chain;
  const codes = new Map<Address, { readonly name: string; readonly code: Hex }>();
  // A configuration only names an EntryPoint that is not at its usual address.
  const ofContracts = new Map(
    configuredContracts(chain).map(({ family, entryPoint }) => [family.entryPointVersion, entryPoint]),
  );
  for (const version of entryPointVersions) {
    const entryPoint = chain.entryPoints[version] ?? ofContracts.get(version);
    if (entryPoint === undefined) continue;
    const there = await askChain(chainId, client.getCode({ address: entryPoint }));
    if (there === undefined) throw mistake(`There is no EntryPoint ${version} at ${entryPoint} on chain ${chainId}.`);
    const { probe, entryPoint: simulations } = codeInFull(version, there);
    codes.set(addressOnChain(probe), { name: 'probe', code: probe });
    codes.set(addressOnChain(simulations), { name: `EntryPoint ${version}`, code: simulations });
  }
  return Promise.all(
    [...codes].map(async ([address, { name, code }]) => {
      const isThere = (await askChain(chainId, client.getCode({ address }))) === code;
      return { name, code, address, isThere };
    }),
  );
}
