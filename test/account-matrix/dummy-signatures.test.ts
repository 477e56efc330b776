import { Implementation, toMetaMaskSmartAccount } from '@metamask/smart-accounts-kit';
import { toSafeSmartAccount } from 'permissionless/accounts';
import { privateKeyToAccount } from 'viem/accounts';
import { deployMetaMask } from '../support/accounts/deploy-metamask.ts';
import {
  matrixAccounts,
  openSafe7579,
  safe141Contracts,
  safe150Contracts,
  safe7579Contracts,
} from '../support/accounts/matrix-accounts.ts';
import { isLongRun } from '../support/run/rows-of-run.ts';
import { chainClient } from '../support/service/client-lab.ts';
import { freshKey } from '../support/service/running-service.ts';
import { describeDummySignatures, type SigningAccount } from './describe-dummy-signatures.ts';

const newOwners = (count: number) => Array.from({ length: count }, () => privateKeyToAccount(freshKey()));

const severalOwners: readonly SigningAccount[] = [
  ...(['1.4.1', '1.5.0'] as const).map(
    (version): SigningAccount => ({
      kind: `Safe ${version} of 5 owners`,
      version: '0.7',
      code: '',
      signatures: 5,
      open: async (devnet) => {
        await (version === '1.4.1' ? safe141Contracts : safe150Contracts)(devnet);
        return { account: await toSafeSmartAccount({ client: chainClient(devnet), owners: newOwners(5), version }) };
      },
    }),
  ),
  ...(['1.4.1', '1.5.0'] as const).map(
    (version): SigningAccount => ({
      kind: `Safe7579 of 3 owners on a Safe ${version}`,
      version: '0.7',
      code: '',
      signatures: 3,
      open: async (devnet) => {
        await safe150Contracts(devnet);
        await safe7579Contracts(devnet);
        return { account: await openSafe7579(devnet, { owners: newOwners(3), version }) };
      },
    }),
  ),
  {
    kind: 'MetaMask of 4 signers',
    version: '0.7',
    code: '',
    signatures: 4,
    open: async (devnet) => {
      const signers = newOwners(4);
      const account = await toMetaMaskSmartAccount({
        client: chainClient(devnet),
        implementation: Implementation.MultiSig,
        deployParams: [signers.map(({ address }) => address), 4n],
        deploySalt: '0x',
        signer: signers.map((one) => ({ account: one })),
        environment: await deployMetaMask(devnet),
      });
      return { account };
    },
  },
];

const inEveryRun = ['Biconomy SmartAccount 2', 'Kernel 3.1', 'Safe 1.4.1 of 5 owners', 'MetaMask of 4 signers'];
const all: readonly SigningAccount[] = [
  ...matrixAccounts.filter(({ kind }) => kind !== 'an account of unknown code'),
  ...severalOwners,
];
describeDummySignatures(isLongRun ? all : all.filter(({ kind }) => inEveryRun.includes(kind)));
