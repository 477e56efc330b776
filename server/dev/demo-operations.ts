import type { ManagementClient } from '@tollfree/sdk/management';
import {
  type Address,
  encodeFunctionData,
  type Hash,
  type Hex,
  numberToHex,
  parseAbiItem,
  parseEther,
  parseUnits,
  type TransactionReceipt,
} from 'viem';
import { generatePrivateKey, type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import type { DevPaymaster } from './dev-file.ts';
import { devTokenAbi } from './devnet/contracts.generated.ts';
import type { Devnet, DevnetToken } from './devnet/devnet.ts';
import { sendInOrder } from './devnet/devnet-client.ts';
import { RpcRefused, rpcCall } from './rpc-call.ts';
import { buildUserOperation, type DevCall, signUserOperation } from './user-operation/build-user-operation.ts';
import { type DevUserOperation, toRpcUserOperation } from './user-operation/dev-user-operation.ts';
import { handleUserOperation, type OperationOutcome } from './user-operation/entry-point.ts';

const userOperationEvent = parseAbiItem(
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
);

/** The transaction in which an operation landed. The development bundler answers only then. */
async function readLandedTransaction(
  { client }: Devnet,
  entryPoint: Address,
  userOpHash: Hex,
): Promise<TransactionReceipt> {
  const logs = await client.getLogs({
    address: entryPoint,
    event: userOperationEvent,
    args: { userOpHash },
    fromBlock: 0n,
  });
  const [log] = logs;
  if (log === undefined) throw new Error(`The user operation ${userOpHash} has not landed.`);
  return client.getTransactionReceipt({ hash: log.transactionHash });
}

/** Deposit into the relay's tank, in wei. */
const deposit = parseEther('10');

/** A relayed operation without a paymaster contract: its transaction's cost in wei, and its gas. */
export type RelayDemonstration = Shown<{ readonly cost: bigint; readonly gas: bigint }>;

/** Allows the paymaster to relay, fills its relay tank from its funding wallet, and relays an operation of a new account. */
export async function demonstrateRelay(
  devnet: Devnet,
  paymaster: DevPaymaster,
  parts: { readonly management: ManagementClient; readonly fundingKey: Hex; readonly executor: Address },
): Promise<RelayDemonstration> {
  const { apiKey, entryPoint, entryPointVersion: version } = paymaster;
  const policy = await parts.management.readPolicy({ apiKey });
  if (policy.relay === 'NEVER') await parts.management.setPolicy({ apiKey, policy: { ...policy, relay: 'PREFER' } });
  const transfer = { description: 'a transfer to the executor', to: parts.executor, value: deposit };
  await sendInOrder(devnet.client, privateKeyToAccount(parts.fundingKey), [transfer]);
  const owner = privateKeyToAccount(generatePrivateKey());
  const built = await buildUserOperation(devnet, { version, owner: owner.address }, [incrementCall(devnet)]);
  const free = { ...built, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
  try {
    const asked = [toRpcUserOperation(free), entryPoint];
    const limits = await rpcCall(paymaster.rpcUrl, 'eth_estimateUserOperationGas', asked, limitsSchema);
    const operation = toRpcUserOperation(await signUserOperation(devnet, { ...free, ...limits }, owner));
    const params = [operation, entryPoint, numberToHex(devnet.chainId), {}];
    const hash = await whenFunded(() => rpcCall(paymaster.rpcUrl, 'tollfree_relayUserOperation', params, z.string()));
    const { transactionHash, gasUsed, effectiveGasPrice } = await readLandedTransaction(
      devnet,
      entryPoint,
      hash as Hex,
    );
    return { transactionHash, gas: gasUsed, cost: gasUsed * effectiveGasPrice };
  } catch (error) {
    if (!(error instanceof RpcRefused)) throw error;
    return { refusal: error.reason ?? error.message };
  }
}

const quantitySchema = z.union([z.string(), z.int()]).transform((value) => BigInt(value));

const limitsSchema = z.object({
  preVerificationGas: quantitySchema,
  verificationGasLimit: quantitySchema,
  callGasLimit: quantitySchema,
});

const signedSchema = limitsSchema.extend({ paymasterAndData: z.string().regex(/^0x[0-9a-fA-F]*$/) });

const quotesSchema = z.object({
  paymasterAddress: z.string(),
  feeQuotes: z.array(z.object({ tokenAddress: z.string(), maxGasFee: z.number(), decimal: z.number() })).min(1),
});

/** The account kind of the demonstration's accounts. */
const smartAccountInfo = { name: 'INFINITISM', version: '1.0.0' };
export const sponsoredContext = {
  mode: 'SPONSORED',
  calculateGasLimits: true,
  sponsorshipInfo: { webhookData: {}, smartAccountInfo },
};

/** Longest wait for the gas tank to include a deposit, in milliseconds. */
const fundedTimeoutMs = 30_000;
const retryMs = 200;

/** A call of the target contract that the development paymasters sponsor. */
export function incrementCall(devnet: Devnet): DevCall {
  const { address, abi } = devnet.target;
  return { to: address, data: encodeFunctionData({ abi, functionName: 'increment' }) };
}

/** The outcome of an operation: its cost, or the service's refusal. */
export type Shown<Cost> = (Cost & { readonly transactionHash: Hash }) | { readonly refusal: string };

/** One sponsored and one token-paid operation through a paymaster. */
export type Demonstration = {
  readonly paymaster: DevPaymaster;
  /** What the gas tank paid, in wei. */
  readonly sponsored: Shown<{ readonly cost: bigint }>;
  /** What the user paid and the maximum, in base units of the token, and the cost of the gas in wei. */
  readonly paid: Shown<{ readonly token: DevnetToken; readonly amount: bigint; readonly most: bigint; cost: bigint }>;
};

/** Sends both operations. A paymaster with the developer's own settings may refuse them. */
export async function demonstrate(devnet: Devnet, paymaster: DevPaymaster, bundlerKey: Hex): Promise<Demonstration> {
  const owner = privateKeyToAccount(generatePrivateKey());
  const bundler = privateKeyToAccount(bundlerKey);
  const [token] = devnet.tokens;
  if (token === undefined) throw new Error('The development chain has no tokens.');
  const sponsored = await orRefusal(() => sendSponsored(devnet, paymaster, { owner, bundler }));
  const paid = await orRefusal(() => sendTokenPaid(devnet, paymaster, { owner, bundler, token }));
  return { paymaster, sponsored, paid };
}

async function orRefusal<Sent>(send: () => Promise<Sent>): Promise<Sent | { readonly refusal: string }> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof RpcRefused)) throw error;
    return { refusal: error.reason ?? error.message };
  }
}

async function sendSponsored(
  devnet: Devnet,
  paymaster: DevPaymaster,
  people: { owner: LocalAccount; bundler: LocalAccount },
): Promise<{ cost: bigint; transactionHash: Hash }> {
  const version = paymaster.entryPointVersion;
  const built = await buildUserOperation(devnet, { version, owner: people.owner.address }, [incrementCall(devnet)]);
  const signed = await whenFunded(() =>
    rpcCall(paymaster.rpcUrl, 'pm_getFeeQuoteOrData', [toRpcUserOperation(built), sponsoredContext], signedSchema),
  );
  const { actualGasCost: cost, transactionHash } = await send(devnet, withPaymaster(built, signed), people);
  return { cost, transactionHash };
}

async function sendTokenPaid(
  devnet: Devnet,
  paymaster: DevPaymaster,
  parts: { owner: LocalAccount; bundler: LocalAccount; token: DevnetToken },
): Promise<{ token: DevnetToken; amount: bigint; most: bigint; cost: bigint; transactionHash: Hash }> {
  const { owner, bundler, token } = parts;
  const account = { version: paymaster.entryPointVersion, owner: owner.address };
  // The quote includes the approval, so that it covers the approval's gas.
  const approval = (amount: bigint) => approveCall(token.address, paymaster.address, amount);
  const drafted = await buildUserOperation(devnet, account, [approval(1n), incrementCall(devnet)]);
  await mint(devnet, bundler, token, drafted.sender);
  const context = { mode: 'ERC20', calculateGasLimits: true, sponsorshipInfo: { smartAccountInfo } };
  const { feeQuotes } = await rpcCall(
    paymaster.rpcUrl,
    'pm_getFeeQuoteOrData',
    [toRpcUserOperation(drafted), { ...context, tokenInfo: { preferredToken: token.address, tokenList: [] } }],
    quotesSchema,
  );
  const [quote] = feeQuotes;
  if (quote === undefined) throw new Error('The service gave no quote.');
  const most = BigInt(Math.ceil(quote.maxGasFee * 10 ** quote.decimal));
  const built = await buildUserOperation(devnet, account, [approval(most), incrementCall(devnet)]);
  const signed = await rpcCall(
    paymaster.rpcUrl,
    'pm_sponsorUserOperation',
    [toRpcUserOperation(built), { ...context, tokenInfo: { feeTokenAddress: token.address } }],
    signedSchema,
  );
  const before = await tokenBalance(devnet, token, built.sender);
  const sent = await send(devnet, withPaymaster(built, signed), { owner, bundler });
  const amount = before - (await tokenBalance(devnet, token, built.sender));
  return { token, amount, most, cost: sent.actualGasCost, transactionHash: sent.transactionHash };
}

async function send(
  devnet: Devnet,
  operation: DevUserOperation,
  people: { owner: LocalAccount; bundler: LocalAccount },
): Promise<OperationOutcome> {
  const outcome = await handleUserOperation(
    devnet,
    await signUserOperation(devnet, operation, people.owner),
    people.bundler,
  );
  if (!outcome.success) throw new Error(`The user operation ${outcome.userOpHash} landed, but its call failed.`);
  return outcome;
}

/** The operation with the service's answer applied. */
function withPaymaster(operation: DevUserOperation, signed: z.output<typeof signedSchema>): DevUserOperation {
  return { ...operation, ...signed, paymasterAndData: `0x${signed.paymasterAndData.slice(2)}` };
}

/** Retries while the tank does not include the deposit yet. */
async function whenFunded<T>(attempt: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + fundedTimeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const isEarly = error instanceof RpcRefused && error.reason === 'INSUFFICIENT_FUNDS';
      if (!isEarly || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}

function approveCall(token: Address, spender: Address, amount: bigint): DevCall {
  return {
    to: token,
    data: encodeFunctionData({ abi: devTokenAbi, functionName: 'approve', args: [spender, amount] }),
  };
}

/** Gives an account a thousand of a token. */
export async function mint(devnet: Devnet, from: LocalAccount, token: DevnetToken, to: Address): Promise<void> {
  const args = [to, parseUnits('1000', token.decimals)] as const;
  const data = encodeFunctionData({ abi: devTokenAbi, functionName: 'mint', args });
  await sendInOrder(devnet.client, from, [{ description: `minting ${token.symbol}`, to: token.address, data }]);
}

function tokenBalance(devnet: Devnet, token: DevnetToken, owner: Address): Promise<bigint> {
  return devnet.client.readContract({
    address: token.address,
    abi: devTokenAbi,
    functionName: 'balanceOf',
    args: [owner],
  });
}
