import { readFileSync } from 'node:fs';
import { parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { verifyingPaymaster06 } from '../../../core/evm/paymaster-contracts/verifying/verifying-paymaster-0.6.ts';
import { verifyingPaymaster07 } from '../../../core/evm/paymaster-contracts/verifying/verifying-paymaster-0.7.ts';
import { packageFile } from '../packages/pack.ts';
import type { DeployedPaymaster, PaymasterLab } from './paymaster-lab.ts';

const abi = parseAbi([
  'constructor(address entryPoint, address signer)',
  'function transferOwnership(address newOwner)',
]);
const artifact = z.object({ bytecode: z.templateLiteral(['0x', z.string()]) });
const families = { '0.6': verifyingPaymaster06, '0.7': verifyingPaymaster07 };

/** Puts the published VerifyingPaymaster of a version on the chain; the lab's signer owns it and signs for it. */
export async function deployVerifyingPaymaster(lab: PaymasterLab, version: '0.6' | '0.7'): Promise<DeployedPaymaster> {
  const { client, chainId, entryPoints, fundedKeys } = lab.devnet;
  const account = privateKeyToAccount(fundedKeys[2] ?? '0x');
  const file = packageFile(`@account-abstraction/contracts-${version}`, 'artifacts/VerifyingPaymaster.json');
  const { bytecode } = artifact.parse(JSON.parse(readFileSync(file, 'utf8')));
  const entryPoint = entryPoints[version];
  const args = [entryPoint, lab.signer.address] as const;
  const hash = await client.deployContract({ account, chain: client.chain, abi, bytecode, args });
  const { contractAddress: address } = await client.waitForTransactionReceipt({ hash });
  if (!address) throw new Error('the paymaster was not deployed');
  const handOver = { account, chain: client.chain, address, abi, functionName: 'transferOwnership' } as const;
  const handedOver = await client.writeContract({ ...handOver, args: [lab.signer.address] });
  await client.waitForTransactionReceipt({ hash: handedOver });
  return { family: families[version], contract: { chainId, address, entryPoint } };
}
