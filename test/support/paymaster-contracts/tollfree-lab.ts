import { join } from 'node:path';
import { type Abi, type Address, type Hex, maxUint256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { devTokenAbi } from '../../../clients/cli/dev/devnet/contracts.generated.ts';
import {
  tollfreePaymasterAbi,
  tollfreePaymasterBytecode,
} from '../../../clients/cli/paymaster-contract/tollfree-paymaster.generated.ts';
import { tollfree09 } from '../../../core/evm/paymaster-contracts/tollfree/tollfree-0.9.ts';
import { tollfree2For08, tollfree2For09 } from '../../../core/evm/paymaster-contracts/tollfree/tollfree-2.ts';
import { compileSolidity } from '../../tooling/compile-solidity.ts';
import type { DeployedPaymaster, PaymasterLab } from './paymaster-lab.ts';

const versions = { 'tollfree-0.9': tollfree09, 'tollfree-2-0.8': tollfree2For08, 'tollfree-2-0.9': tollfree2For09 };
export type TollfreeName = keyof typeof versions;

/** Puts a version of Tollfree's own paymaster on the chain; the lab's signer owns it and signs for it. */
export async function deployTollfree(lab: PaymasterLab, name: TollfreeName): Promise<DeployedPaymaster> {
  const { client, chainId, entryPoints, fundedKeys } = lab.devnet;
  const family = versions[name];
  const entryPoint = entryPoints[family.entryPointVersion];
  const owner: Address = lab.signer.address;
  const deploy = { account: privateKeyToAccount(fundedKeys[2] ?? '0x'), chain: client.chain, ...readCode(name) };
  const hash = await client.deployContract({ ...deploy, args: [entryPoint, owner, [owner]] });
  const { contractAddress: address } = await client.waitForTransactionReceipt({ hash });
  if (!address) throw new Error('The paymaster was not deployed.');
  await approveReturns(lab, address);
  return { family, contract: { chainId, address, entryPoint } };
}

/** Lets the contract give back out of the treasury what it took in advance and the operation did not cost. */
async function approveReturns(
  { devnet: { client, fundedKeys, tokens } }: PaymasterLab,
  spender: Address,
): Promise<void> {
  const treasurer = privateKeyToAccount(fundedKeys.at(-1) ?? '0x');
  for (const { address } of tokens) {
    const approve = { address, abi: devTokenAbi, functionName: 'approve', args: [spender, maxUint256] } as const;
    const hash = await client.writeContract({ account: treasurer, chain: client.chain, ...approve });
    await client.waitForTransactionReceipt({ hash });
  }
}

function readCode(name: TollfreeName): { abi: Abi; bytecode: Hex } {
  if (name !== 'tollfree-0.9') return { abi: tollfreePaymasterAbi, bytecode: tollfreePaymasterBytecode };
  const first = compileSolidity(join(import.meta.dirname, 'contracts/FirstTollfreePaymaster.sol')).get(
    'TollfreePaymaster',
  );
  if (first === undefined) throw new Error('The compiler returned no TollfreePaymaster.');
  return { abi: first.abi, bytecode: first.creationBytecode };
}
