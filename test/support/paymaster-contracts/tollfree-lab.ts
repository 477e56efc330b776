import { type Address, maxUint256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { tollfree08, tollfree09 } from '../../../core/evm/paymaster-contracts/tollfree/tollfree-versions.ts';
import { devTokenAbi } from '../../../server/dev/devnet/contracts.generated.ts';
import {
  tollfreePaymasterAbi,
  tollfreePaymasterBytecode,
} from '../../../server/paymaster-contract/tollfree-paymaster.generated.ts';
import type { DeployedPaymaster, PaymasterLab } from './paymaster-lab.ts';

const versions = { 'tollfree-0.8': tollfree08, 'tollfree-0.9': tollfree09 };
export type TollfreeName = keyof typeof versions;

/** Puts Tollfree's own paymaster of an EntryPoint on the chain; the lab's signer owns it and signs for it. */
export async function deployTollfree(lab: PaymasterLab, name: TollfreeName): Promise<DeployedPaymaster> {
  const { client, chainId, entryPoints, fundedKeys } = lab.devnet;
  const family = versions[name];
  const entryPoint = entryPoints[family.entryPointVersion];
  const owner: Address = lab.signer.address;
  const deploy = {
    account: privateKeyToAccount(fundedKeys[2] ?? '0x'),
    chain: client.chain,
    abi: tollfreePaymasterAbi,
  };
  const hash = await client.deployContract({
    ...deploy,
    bytecode: tollfreePaymasterBytecode,
    args: [entryPoint, owner, [owner]],
  });
  const { contractAddress: address } = await client.waitForTransactionReceipt({ hash });
  if (!address) throw new Error('The paymaster was not deployed.');
  await approveReturns(lab, address);
  return { family, contract: { chainId, address, entryPoint } };
}

/** Lets the contract give back out of the token recipient what it took in advance and the operation did not cost. */
async function approveReturns(
  { devnet: { client, fundedKeys, tokens } }: PaymasterLab,
  spender: Address,
): Promise<void> {
  const tokenRecipientAccount = privateKeyToAccount(fundedKeys.at(-1) ?? '0x');
  for (const { address } of tokens) {
    const approve = { address, abi: devTokenAbi, functionName: 'approve', args: [spender, maxUint256] } as const;
    const hash = await client.writeContract({ account: tokenRecipientAccount, chain: client.chain, ...approve });
    await client.waitForTransactionReceipt({ hash });
  }
}
