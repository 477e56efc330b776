import { type Address, parseEther } from 'viem';
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import { expect, vi } from 'vitest';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import { paymasterContractFamilies } from '../../../core/evm/paymaster-contracts/families.ts';
import { fillingCall } from '../../../core/evm/paymaster-contracts/filling-call.ts';
import { devnetFamilies } from '../../../server/dev/devnet/devnet.ts';
import { sendInOrder } from '../../../server/dev/devnet/devnet-client.ts';
import { mineConfirmations } from '../chain/mine-confirmations.ts';
import { chooseWallet, type LabPaymaster } from './chain-paymaster.ts';
import { versionOfFamily } from './production-config.ts';
import type { ProductionService } from './production-service.ts';
import { freshKey } from './running-service.ts';

/** A paymaster of the service's one account that sponsors the chain's target, with its contract and funding wallet. */
export type ProductionTank = LabPaymaster & {
  readonly family: string;
  readonly contract: Address;
  readonly wallet: LocalAccount;
};

/** What a paymaster and its tank are made with. */
type Maker = Pick<ProductionService, 'devnet' | 'families' | 'management' | 'rpcUrl'>;

type Wanted = {
  /** The singleton of an EntryPoint version where it is one. */
  readonly family: string;
  readonly policy?: object;
};

/** Registers a paymaster and its wallet, which has coin; show the balance is the test's affair. */
export async function openTank(service: Maker, { family: wanted, policy }: Wanted): Promise<ProductionTank> {
  const { devnet, management } = service;
  const family = isEntryPoint(wanted) ? devnetFamilies[wanted] : wanted;
  const version = paymasterContractFamilies.get(family)?.entryPointVersion;
  const contract = service.families.get(family)?.contract.address;
  if (version === undefined || contract === undefined) throw new Error(`There is no contract of ${family}.`);
  const { apiKey, paymasterId } = await management.createPaymaster({
    name: `lab ${freshKey()}`.slice(0, 40),
    chainId: devnet.chainId,
    version: versionOfFamily(family),
  });
  await management.registerSmartContract({
    apiKey,
    name: 'target',
    address: devnet.target.address,
    abi: devnet.target.abi,
    whitelistedMethods: ['increment', 'pay'],
  });
  if (policy !== undefined) await management.setPolicy({ apiKey, policy });
  const wallet = privateKeyToAccount(freshKey());
  await devnet.client.setBalance({ address: wallet.address, value: parseEther('1000') });
  const rpcUrl = service.rpcUrl(apiKey);
  const tank = { version, paymasterId, apiKey, rpcUrl, management, family, contract, wallet };
  await chooseWallet(tank, wallet);
  return tank;
}

/** {@link openTank} with so many wei in it, confirmed, by the call of its family. */
export async function fundedTank(
  service: Maker,
  { amount, ...wanted }: Wanted & { readonly amount: bigint },
): Promise<ProductionTank> {
  const tank = await openTank(service, wanted);
  await fill(service, tank, amount);
  return tank;
}

async function fill(service: Maker, tank: ProductionTank, amount: bigint): Promise<void> {
  const { apiKey, management, wallet } = tank;
  const deployed = service.families.get(tank.family);
  if (deployed === undefined) throw new Error(`There is no contract of ${tank.family}.`);
  const { to, data } = fillingCall(deployed.contract, wallet.address, deployed.family.customerFunding);
  await sendInOrder(service.devnet.client, wallet, [
    { description: 'a filling', to, data, value: amount, gas: 300_000n },
  ]);
  await mineConfirmations(service.devnet);
  const isThere = async () => expect((await management.readGasTank({ apiKey })).available).toBe(String(amount));
  await vi.waitFor(isThere, { timeout: 20_000, interval: 50 });
}

function isEntryPoint(text: string): text is EntryPointVersion {
  return text in devnetFamilies;
}
