import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { Devnet } from '../../../clients/cli/dev/devnet/devnet.ts';
import { startDevnet } from '../../../clients/cli/dev/devnet/start-devnet.ts';
import type {
  PaymasterContract,
  PaymasterContractFamily,
} from '../../../core/evm/paymaster-contracts/family/family.ts';

/** A paymaster contract on the chain and the family that is under test with it. */
export type DeployedPaymaster = { readonly contract: PaymasterContract; readonly family: PaymasterContractFamily };

/** A chain, and the key that owns its paymaster contracts and signs for them. */
export type PaymasterLab = {
  readonly devnet: Devnet;
  readonly signer: PrivateKeyAccount;
  close(): Promise<void>;
};

export async function startPaymasterLab() {
  const signer = privateKeyToAccount(`0x${'5a'.repeat(32)}`);
  const devnet = await startDevnet({ port: 0, paymasterSigner: signer.address });
  return { devnet, signer, close: devnet.close };
}
