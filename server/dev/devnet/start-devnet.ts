import { counted } from '@tollfree/contract/counted';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Address, concat, encodeFunctionData, maxUint256, parseEther } from 'viem';
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import { mistake, tryAgain } from '../../../clients/cli/terminal/cli-error.ts';
import { entryPointAddresses, entryPointVersions } from '../../../core/domain/entry-point-version.ts';
import { devTargetAbi, devTokenAbi } from './contracts.generated.ts';
import {
  accountFactoryDeployment,
  create2Deployer,
  type Deployment,
  entryPointDeployment,
  paymasterDeployment,
  placeContract,
  readEntryPoint,
  simple7702Deployment,
  simple7702Of09,
  targetDeployment,
  tokenDeployment,
} from './deployments.ts';
import { deriveDevKey, devKeyCount } from './dev-keys.ts';
import { type DevFork, type Devnet, type DevnetToken, devnetFamilies } from './devnet.ts';
import { createDevnetClient, type DevnetClient, sendInOrder } from './devnet-client.ts';
import { startEthereumJs } from './ethereumjs/start-ethereumjs.ts';
import { stakePaymaster } from './stake-paymaster.ts';
import { startAnvil } from './start-anvil.ts';

const devChainId = 31_337;
/** The deployer must have at least this to pay for everything. */
const minDeployerBalance = parseEther('5');

const devTokens = [
  { name: 'Development USD', symbol: 'devUSD', decimals: 6 },
  { name: 'Development Token', symbol: 'devTKN', decimals: 18 },
] as const;

type StartDevnetOptions = {
  /** Port of the started node; 0 picks a free one. Not used with `nodeUrl`. */
  readonly port: number;
  /** A running development node. Missing contracts are deployed on it. */
  readonly nodeUrl?: string;
  /** Owner and signer of the paymaster contracts. */
  readonly paymasterSigner: Address;
  readonly onProgress?: (line: string) => void;
  /** For a started node: whose gas prices it has. Osaka's if not given. */
  readonly fork?: DevFork;
  /** For a started node: interval of blocks without transactions, in seconds. */
  readonly idleBlockSeconds?: number;
  /** For a started node with the prices of Osaka: keeps the chain between runs. */
  readonly stateFile?: string;
  /** For a started node with the prices of Osaka: called when it ends before `close`. */
  readonly onEnded?: () => void;
};

/**
 * Starts a development chain, or takes the one at `nodeUrl`, and puts the EntryPoints, SimpleAccount
 * factories, Simple7702Account, staked paymaster contracts, two tokens and a target contract on it. What is there already stays.
 *
 * @example
 * const devnet = await startDevnet({ port: 0, paymasterSigner: account.address });
 * await devnet.client.getBlockNumber();
 * await devnet.close();
 */
export async function startDevnet(options: StartDevnetOptions): Promise<Devnet> {
  const progress = options.onProgress ?? (() => undefined);
  if (options.nodeUrl !== undefined) {
    const node = { rpcUrl: options.nodeUrl, isKept: false, close: async () => undefined };
    return prepareChain(node, options.paymasterSigner, progress);
  }
  const { port, fork = 'osaka', idleBlockSeconds, stateFile, onEnded } = options;
  const chain = { port, chainId: devChainId, idleBlockSeconds };
  const node = fork === 'osaka' ? await startAnvil({ ...chain, stateFile, onEnded }) : await startEthereumJs(chain);
  progress(`${node.isKept ? 'Resumed the' : 'Started a'} development chain on ${node.rpcUrl}`);
  try {
    return await prepareChain(node, options.paymasterSigner, progress);
  } catch (error) {
    await node.close();
    throw error;
  }
}

async function prepareChain(
  node: { rpcUrl: string; pid?: number; isKept: boolean; close(): Promise<void> },
  paymasterSigner: Address,
  progress: (line: string) => void,
): Promise<Devnet> {
  const chainId = await readChainId(node.rpcUrl);
  const client = createDevnetClient(node.rpcUrl, chainId);
  const fundedKeys = Array.from({ length: devKeyCount }, (_, index) => deriveDevKey(index));
  const deployer = privateKeyToAccount(deriveDevKey(0));
  const tokenRecipientAccount = privateKeyToAccount(deriveDevKey(devKeyCount - 1));
  const tokenRecipient = tokenRecipientAccount.address;
  await checkDeployer(client, deployer);
  // The newest block of a kept chain is as old as the last run.
  if (node.isKept) await client.mine({ blocks: 1 });

  for (const version of entryPointVersions.filter((each) => entryPointDeployment(each) === undefined)) {
    const entryPoint = { address: entryPointAddresses[version], creationCode: readEntryPoint(version) };
    await placeContract(client, deployer, entryPoint);
  }
  await placeContract(client, deployer, simple7702Of09());
  const accountFactories = entryPointVersions.map(accountFactoryDeployment);
  const paymasters = await Promise.all(entryPointVersions.map((each) => paymasterDeployment(each, paymasterSigner)));
  const tokens = devTokens.map((token) => ({ token, contract: tokenDeployment(token) }));
  const target = targetDeployment();
  const simple7702 = simple7702Deployment();
  await deployMissing(client, deployer, progress, [
    ...entryPointVersions.map(entryPointDeployment).filter((each) => each !== undefined),
    ...accountFactories,
    simple7702,
    ...paymasters,
    ...tokens.map(({ contract }) => contract),
    target,
  ]);

  const addressesOf = <Name extends string>(names: readonly Name[], deployments: readonly Deployment[]) =>
    Object.fromEntries(names.map((name, at) => [name, deployments[at]?.address])) as Record<Name, Address>;
  const families = entryPointVersions.map((version) => devnetFamilies[version]);
  const paymasterContracts = addressesOf(families, paymasters);
  for (const version of entryPointVersions) {
    const paymaster = paymasterContracts[devnetFamilies[version]];
    await stakePaymaster(client, { entryPoint: entryPointAddresses[version], paymaster, owner: paymasterSigner });
  }
  const devnetTokens = tokens.map(({ token: { symbol, decimals }, contract: { address } }) => ({
    symbol,
    decimals,
    address,
  }));
  await giveTokenRecipientOneUnit(client, deployer, tokenRecipient, devnetTokens);
  // The contract at 0.6 takes no tokens in advance.
  const returning = entryPointVersions
    .filter((version) => version !== '0.6')
    .map((version) => paymasterContracts[devnetFamilies[version]]);
  await approveReturns(client, tokenRecipientAccount, { contracts: returning, tokens: devnetTokens });
  return {
    chainId,
    rpcUrl: node.rpcUrl,
    client,
    entryPoints: entryPointAddresses,
    simple7702Account: simple7702.address,
    accountFactories: addressesOf(entryPointVersions, accountFactories),
    paymasterContracts,
    tokens: devnetTokens,
    target: { address: target.address, abi: devTargetAbi },
    tokenRecipient,
    fundedKeys,
    isKept: node.isKept,
    ...omitAbsent({ pid: node.pid }),
    close: node.close,
  };
}

async function readChainId(rpcUrl: string): Promise<number> {
  try {
    return await createDevnetClient(rpcUrl, devChainId).getChainId();
  } catch (error) {
    throw tryAgain('The development chain does not respond. Is the node running, and is its address right?', error);
  }
}

async function checkDeployer(client: DevnetClient, deployer: LocalAccount): Promise<void> {
  const [balance, deployerCode] = await Promise.all([
    client.getBalance({ address: deployer.address }),
    client.getCode({ address: create2Deployer }),
  ]);
  if (balance < minDeployerBalance) {
    throw mistake(
      'The chain has no funded development keys (mnemonic "test test … junk"), so nothing can be deployed on it.',
    );
  }
  if (deployerCode === undefined) throw mistake(`The chain has no CREATE2 deployer at ${create2Deployer}.`);
}

async function deployMissing(
  client: DevnetClient,
  deployer: LocalAccount,
  progress: (line: string) => void,
  deployments: readonly Deployment[],
): Promise<void> {
  const codes = await Promise.all(deployments.map(({ address }) => client.getCode({ address })));
  const missing = deployments.filter((_, index) => codes[index] === undefined);
  if (missing.length === 0) return;
  progress(`Deploying ${counted(missing.length, 'contract')}`);
  await sendInOrder(
    client,
    deployer,
    missing.map(({ name, salt, creationCode }) => ({
      description: name,
      to: create2Deployer,
      data: concat([salt, creationCode]),
    })),
  );
  for (const { name, address } of missing) {
    if ((await client.getCode({ address })) === undefined) throw tryAgain(`${name} did not land at ${address}.`);
  }
}

/**
 * The first transfer to an empty token recipient writes a new storage slot, which estimates with a near-zero token fee miss. One
 * base unit makes all transfers cost the same.
 */
async function giveTokenRecipientOneUnit(
  client: DevnetClient,
  deployer: LocalAccount,
  tokenRecipient: Address,
  tokens: readonly DevnetToken[],
): Promise<void> {
  for (const { address, symbol } of tokens) {
    const balance = await client.readContract({
      address,
      abi: devTokenAbi,
      functionName: 'balanceOf',
      args: [tokenRecipient],
    });
    if (balance > 0n) continue;
    const data = encodeFunctionData({ abi: devTokenAbi, functionName: 'mint', args: [tokenRecipient, 1n] });
    await sendInOrder(client, deployer, [
      { description: `minting ${symbol} to the tokenRecipient`, to: address, data },
    ]);
  }
}

/** Lets contracts that take tokens in advance refund unused ones from the token recipient. */
async function approveReturns(
  client: DevnetClient,
  tokenRecipientAccount: LocalAccount,
  { contracts, tokens }: { readonly contracts: readonly Address[]; readonly tokens: readonly DevnetToken[] },
): Promise<void> {
  const pairs = tokens.flatMap((token) => contracts.map((contract) => ({ token, contract })));
  const allowed = await Promise.all(
    pairs.map(({ token: { address }, contract }) =>
      client.readContract({
        address,
        abi: devTokenAbi,
        functionName: 'allowance',
        args: [tokenRecipientAccount.address, contract],
      }),
    ),
  );
  await sendInOrder(
    client,
    tokenRecipientAccount,
    pairs
      .filter((_, index) => allowed[index] === 0n)
      .map(({ token: { address, symbol }, contract }) => ({
        description: `approving ${symbol} of the token recipient`,
        to: address,
        data: encodeFunctionData({ abi: devTokenAbi, functionName: 'approve', args: [contract, maxUint256] }),
      })),
  );
}
