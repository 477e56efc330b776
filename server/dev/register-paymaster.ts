import type { PaymasterItem } from '@tollfree/contract/paymaster';
import type { ManagementClient } from '@tollfree/sdk/management';
import { type Address, encodeFunctionData, formatEther, getAddress, type Hex, parseAbi, parseEther } from 'viem';
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import { tryAgain } from '../../clients/cli/terminal/cli-error.ts';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { devPaymasterVersions } from './dev-core-config.ts';
import type { DevPaymaster } from './dev-file.ts';
import { type Devnet, devnetFamilies } from './devnet/devnet.ts';
import { sendInOrder } from './devnet/devnet-client.ts';

/** The deposit into every development paymaster's gas tank. */
const deposit = parseEther('100');
const depositAbi = parseAbi(['function depositTo(address account) payable']);

/** The sponsored methods of the target contract. `fail` is left out, to demonstrate a refusal. */
const sponsoredMethods = ['increment', 'record', 'pay'];

type PaymasterParts = {
  readonly devnet: Devnet;
  readonly management: ManagementClient;
  readonly gatewayUrl: string;
};

/**
 * Registers a paymaster through the management API, lets it sponsor the target contract, sets the funding wallet of
 * `fundingKey` and fills its gas tank from it.
 */
export async function registerPaymaster(
  parts: PaymasterParts,
  version: EntryPointVersion,
  fundingKey: Hex,
): Promise<DevPaymaster> {
  const { devnet, management } = parts;
  const wallet = privateKeyToAccount(fundingKey);
  const registered = await management.createPaymaster({
    name: nameOf(version),
    chainId: devnet.chainId,
    version: devPaymasterVersions[version],
  });
  await management.registerSmartContract({
    apiKey: registered.apiKey,
    name: 'DevTarget',
    address: devnet.target.address,
    abi: devnet.target.abi,
    whitelistedMethods: sponsoredMethods,
  });
  await setFundingWallet(management, registered, wallet);
  await fillTank(devnet, version, wallet);
  return describePaymaster(parts, registered, { version, fundingWallet: wallet.address });
}

/**
 * The paymaster registered by an earlier run, with its current settings. Its tank is filled if it never was on this chain.
 * Registers the paymaster if it does not exist.
 */
export async function reopenPaymaster(
  parts: PaymasterParts,
  version: EntryPointVersion,
  fundingKey: Hex,
): Promise<DevPaymaster> {
  const { devnet, management } = parts;
  const known = (await management.listPaymasters()).find(
    ({ name, chainId }) => name === nameOf(version) && chainId === devnet.chainId,
  );
  if (known === undefined) return registerPaymaster(parts, version, fundingKey);
  const wallet = privateKeyToAccount(fundingKey);
  const { fundingWallet, funded } = await management.readGasTank({ apiKey: known.apiKey });
  if (fundingWallet === undefined) await setFundingWallet(management, known, wallet);
  // It may be a wallet of the developer's by now, whose key is not available here.
  const from = fundingWallet === undefined ? wallet.address : getAddress(fundingWallet);
  if (BigInt(funded) === 0n) await fillTankAs(devnet, version, from);
  return describePaymaster(parts, known, { version, fundingWallet: from });
}

function nameOf(version: EntryPointVersion): string {
  return `dev-${version}`;
}

function describePaymaster(
  { devnet, gatewayUrl }: PaymasterParts,
  paymaster: PaymasterItem,
  { version, fundingWallet }: { version: EntryPointVersion; fundingWallet: Address },
): DevPaymaster {
  const { name, chainId, apiKey, paymasterId } = paymaster;
  return {
    name,
    chainId,
    apiKey,
    paymasterId,
    version: devPaymasterVersions[version],
    rpcUrl: `${gatewayUrl}/api/v2/${devnet.chainId}/${apiKey}`,
    entryPointVersion: version,
    entryPoint: devnet.entryPoints[version],
    contract: devnetFamilies[version],
    address: devnet.paymasterContracts[devnetFamilies[version]],
    fundingWallet,
  };
}

/** The call that fills the tank of its sender. */
function depositCall(devnet: Devnet, version: EntryPointVersion) {
  const address = devnet.paymasterContracts[devnetFamilies[version]];
  return {
    to: devnet.entryPoints[version],
    data: encodeFunctionData({ abi: depositAbi, args: [address] }),
    value: deposit,
  };
}

async function fillTank(devnet: Devnet, version: EntryPointVersion, wallet: LocalAccount): Promise<void> {
  const description = `a deposit of ${formatEther(deposit)} ETH`;
  await sendInOrder(devnet.client, wallet, [{ description, ...depositCall(devnet, version) }]);
}

/** Fills the tank of a wallet that the development node can impersonate. */
async function fillTankAs({ client, ...devnet }: Devnet, version: EntryPointVersion, wallet: Address): Promise<void> {
  await client.impersonateAccount({ address: wallet });
  try {
    const balance = await client.getBalance({ address: wallet });
    await client.setBalance({ address: wallet, value: balance + deposit + parseEther('1') });
    const call = depositCall({ client, ...devnet }, version);
    const hash = await client.sendTransaction({ account: wallet, chain: client.chain, ...call });
    const { status } = await client.waitForTransactionReceipt({ hash });
    if (status !== 'success') throw tryAgain(`The deposit of ${wallet} reverted (${hash}).`);
  } finally {
    await client.stopImpersonatingAccount({ address: wallet });
  }
}

async function setFundingWallet(
  management: ManagementClient,
  paymaster: { apiKey: string; paymasterId: string },
  wallet: LocalAccount,
): Promise<void> {
  const { apiKey, paymasterId } = paymaster;
  const { fundingMessage } = await management.createFundingMessage({ apiKey, paymasterId });
  const signature = await wallet.signMessage({ message: fundingMessage });
  await management.setFundingWallet({ apiKey, paymasterId, signature, address: wallet.address });
}
