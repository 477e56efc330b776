import { entryPointVersions } from '../../../core/domain/entry-point-version.ts';
import { devTokenAbi } from '../../../server/dev/devnet/contracts.generated.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { tokenWith } from '../chain/chain-lab.ts';
import { type ClientLab, openClientLab } from '../service/client-lab.ts';

/** A service on a chain of the test's, whose paymasters sponsor transfers of a token too. */
export async function openFlowLab(devnet: Devnet): Promise<ClientLab> {
  const lab = await openClientLab({ devnet });
  const management = lab.service.managementOf(lab.authToken);
  for (const version of entryPointVersions) {
    await management.registerSmartContract({
      apiKey: lab.paymaster(version).apiKey,
      name: 'Token',
      address: tokenWith(devnet, 6).address,
      abi: [...devTokenAbi],
      whitelistedMethods: ['transfer'],
    });
  }
  return lab;
}
