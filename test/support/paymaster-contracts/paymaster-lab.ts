import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type {
  PaymasterContract,
  PaymasterContractFamily,
} from '../../../core/evm/paymaster-contracts/family/family.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { leaseDevnet, leasedSignerKey } from '../chain/lease-devnet.ts';

/** A paymaster contract on the chain and the family that is under test with it. */
export type DeployedPaymaster = { readonly contract: PaymasterContract; readonly family: PaymasterContractFamily };

/** A chain, and the key that owns its paymaster contracts and signs for them. */
export type PaymasterLab = {
  readonly devnet: Devnet;
  readonly signer: PrivateKeyAccount;
  close(): Promise<void>;
};

export async function startPaymasterLab() {
  const signer = privateKeyToAccount(leasedSignerKey);
  const devnet = await leaseDevnet();
  return { devnet, signer, close: devnet.close };
}
