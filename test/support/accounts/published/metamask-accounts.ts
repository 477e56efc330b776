import { getSmartAccountsEnvironment, Implementation, toMetaMaskSmartAccount } from '@metamask/smart-accounts-kit';
import { mainnet } from 'viem/chains';
import { chainClient } from '../../service/client-lab.ts';
import { newOwner, type PublishedAccount } from './published-account.ts';

/** What the accounts call: the manager of delegations, and the verifier of P-256 signatures that Hybrid is linked with. */
const contracts = {
  kinds: ['MetaMask 1.3'],
  others: ['0xdb9B1e94B5b69Df7e401DDbedE43491141047dB3', '0xCcD3b747F3dbd349FA3Af4eBC7D0c31aE6f21Dd1'],
} as const;
const environment = getSmartAccountsEnvironment(mainnet.id, '1.3.0');

const hybrid: PublishedAccount = {
  kind: 'MetaMask 1.3, Hybrid',
  version: '0.7',
  contracts,
  open: async (devnet) => {
    const owner = newOwner();
    const account = await toMetaMaskSmartAccount({
      client: chainClient(devnet),
      implementation: Implementation.Hybrid,
      deployParams: [owner.address, [], [], []],
      deploySalt: '0x',
      signer: { account: owner },
      environment,
    });
    return { account };
  },
};

const multiSig: PublishedAccount = {
  kind: 'MetaMask 1.3, MultiSig',
  version: '0.7',
  contracts,
  open: async (devnet) => {
    const owner = newOwner();
    const account = await toMetaMaskSmartAccount({
      client: chainClient(devnet),
      implementation: Implementation.MultiSig,
      deployParams: [[owner.address], 1n],
      deploySalt: '0x',
      signer: [{ account: owner }],
      environment,
    });
    return { account };
  },
};

export const metaMaskAccounts = [hybrid, multiSig];
