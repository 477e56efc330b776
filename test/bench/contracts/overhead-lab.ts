import { privateKeyToAccount } from 'viem/accounts';
import { paymasterContractFamilies } from '../../../core/evm/paymaster-contracts/families.ts';
import { type Devnet, devnetFamilies } from '../../../server/dev/devnet/devnet.ts';
import { startDevnet } from '../../../server/dev/devnet/start-devnet.ts';
import type { DeployedPaymaster, PaymasterLab } from '../../support/paymaster-contracts/paymaster-lab.ts';
import { deployTollfree } from '../../support/paymaster-contracts/tollfree-lab.ts';
import { deployVerifyingPaymaster } from '../../support/paymaster-contracts/verifying-lab.ts';

export type OverheadLab = PaymasterLab & { readonly paymasters: readonly DeployedPaymaster[] };

/** A development chain with a deployed contract of each family that needs nothing else on chain. */
export async function openOverheadLab(): Promise<OverheadLab> {
  const signer = privateKeyToAccount(`0x${'7e57'.repeat(16)}`);
  const devnet = await startDevnet({ port: 0, paymasterSigner: signer.address });
  const lab = { devnet, signer, close: devnet.close };
  const others = [
    await deployVerifyingPaymaster(lab, '0.6'),
    await deployVerifyingPaymaster(lab, '0.7'),
    await deployTollfree(lab, 'tollfree-0.8'),
  ];
  return { ...lab, paymasters: [...onDevnet(devnet), ...others].sort(byEntryPoint) };
}

function byEntryPoint({ family: a }: DeployedPaymaster, { family: b }: DeployedPaymaster): number {
  return a.entryPointVersion.localeCompare(b.entryPointVersion);
}

function onDevnet({ chainId, entryPoints, paymasterContracts }: Devnet): readonly DeployedPaymaster[] {
  return Object.values(devnetFamilies).map((name) => {
    const family = paymasterContractFamilies.get(name);
    if (family === undefined) throw new Error(`There is no family ${name}.`);
    const entryPoint = entryPoints[family.entryPointVersion];
    return { family, contract: { chainId, address: paymasterContracts[name], entryPoint } };
  });
}
