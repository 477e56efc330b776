import { getSmartAccountsEnvironment, type SmartAccountsEnvironment } from '@metamask/smart-accounts-kit';
import { deploySmartAccountsEnvironment } from '@metamask/smart-accounts-kit/utils';
import { createWalletClient, http } from 'viem';
import { mainnet } from 'viem/chains';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { bundler } from '../chain/chain-lab.ts';
import { chainClient } from '../service/client-lab.ts';

/**
 * Has MetaMask's kit put its accounts on the chain, from the code that it publishes, and the manager of delegations they
 * name. The contracts that restrict delegations are left out: they have nothing to do with operations.
 */
export function deployMetaMask(devnet: Devnet): Promise<SmartAccountsEnvironment> {
  const { chain } = devnet.client;
  const walletClient = createWalletClient({ account: bundler, chain, transport: http(devnet.rpcUrl) });
  const { caveatEnforcers } = getSmartAccountsEnvironment(mainnet.id, '1.3.0');
  const there = { ...caveatEnforcers, EntryPoint: devnet.entryPoints['0.7'] };
  return deploySmartAccountsEnvironment(walletClient, chainClient(devnet), chain, there);
}
