import { entryPointVersions } from '../../../core/domain/entry-point-version.ts';
import { type Devnet, devnetFamilies } from '../../../server/dev/devnet/devnet.ts';
import { deployTable } from './biconomy-lab.ts';
import { familyOf } from './biconomy-table.ts';
import type { DeployedPaymaster, PaymasterLab } from './paymaster-lab.ts';
import { deployTollfree } from './tollfree-lab.ts';
import { deployVerifyingPaymaster } from './verifying-lab.ts';

export type DeployedFamilies = ReadonlyMap<string, DeployedPaymaster>;

/** A contract of every family on the lab's chain, by the names of the families. */
export async function deployFamilies(lab: PaymasterLab): Promise<DeployedFamilies> {
  const deployed = new Map<string, DeployedPaymaster>(await deployTable(lab));
  for (const version of ['0.6', '0.7'] as const) {
    deployed.set(`verifying-paymaster-${version}`, await deployVerifyingPaymaster(lab, version));
  }
  deployed.set('tollfree-0.8', await deployTollfree(lab, 'tollfree-0.8'));
  for (const [name, singleton] of singletons(lab.devnet)) deployed.set(name, singleton);
  return deployed;
}

/** The chain has the singletons already. */
function singletons({ chainId, entryPoints, paymasterContracts }: Devnet): DeployedFamilies {
  return new Map(
    entryPointVersions.map((version) => {
      const name = devnetFamilies[version];
      const contract = { chainId, address: paymasterContracts[name], entryPoint: entryPoints[version] };
      return [name, { family: familyOf({ name }), contract }];
    }),
  );
}
