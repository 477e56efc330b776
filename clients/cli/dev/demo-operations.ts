import { type Address, encodeFunctionData, formatEther, formatUnits, type Hex, parseUnits } from 'viem';
import { generatePrivateKey, type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import type { DevPaymaster } from './dev-file.ts';
import { devTokenAbi } from './devnet/contracts.generated.ts';
import type { Devnet, DevnetToken } from './devnet/devnet.ts';
import { sendInOrder } from './devnet/send-in-order.ts';
import { RpcRefused, rpcCall } from './rpc-call.ts';
import { buildUserOperation, type DevCall, signUserOperation } from './user-operation/build-user-operation.ts';
import { type DevUserOperation, toRpcUserOperation } from './user-operation/dev-user-operation.ts';
import { handleUserOperation, type OperationOutcome } from './user-operation/entry-point.ts';

const quantitySchema = z.union([z.string(), z.int()]).transform((value) => BigInt(value));

const signedSchema = z.object({
  paymasterAndData: z.string().regex(/^0x[0-9a-fA-F]*$/),
  preVerificationGas: quantitySchema,
  verificationGasLimit: quantitySchema,
  callGasLimit: quantitySchema,
});

const quotesSchema = z.object({
  paymasterAddress: z.string(),
  feeQuotes: z.array(z.object({ tokenAddress: z.string(), maxGasFee: z.number(), decimal: z.number() })).min(1),
});

/** Who the demonstration's accounts say they are. */
const smartAccountInfo = { name: 'INFINITISM', version: '1.0.0' };
export const sponsoredContext = {
  mode: 'SPONSORED',
  calculateGasLimits: true,
  sponsorshipInfo: { webhookData: {}, smartAccountInfo },
};

/** The gas tank follows the chain; it may take this long to see a deposit, in milliseconds. */
const fundedTimeoutMs = 30_000;
const retryMs = 200;

/** A call of the target contract that the development paymasters sponsor. */
export function incrementCall(devnet: Devnet): DevCall {
  const { address, abi } = devnet.target;
  return { to: address, data: encodeFunctionData({ abi, functionName: 'increment' }) };
}

/**
 * Sends one sponsored and one token-paid operation through a paymaster and says in plain words what happened: one that the
 * developer has set up may refuse.
 */
export async function demonstrate(
  devnet: Devnet,
  paymaster: DevPaymaster,
  bundlerKey: Hex,
): Promise<readonly string[]> {
  const owner = privateKeyToAccount(generatePrivateKey());
  const bundler = privateKeyToAccount(bundlerKey);
  const version = paymaster.entryPointVersion;
  const sponsored = await orRefusal(`EntryPoint ${version}, sponsored`, () =>
    sendSponsored(devnet, paymaster, { owner, bundler }),
  );
  const [token] = devnet.tokens;
  if (token === undefined) return [sponsored];
  const paid = await orRefusal(`EntryPoint ${version}, in tokens`, () =>
    sendTokenPaid(devnet, paymaster, { owner, bundler, token }),
  );
  return [sponsored, paid];
}

async function orRefusal(what: string, send: () => Promise<string>): Promise<string> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof RpcRefused)) throw error;
    return `${what}: ${error.message}`;
  }
}

async function sendSponsored(
  devnet: Devnet,
  paymaster: DevPaymaster,
  people: { owner: LocalAccount; bundler: LocalAccount },
): Promise<string> {
  const version = paymaster.entryPointVersion;
  const built = await buildUserOperation(devnet, { version, owner: people.owner.address }, [incrementCall(devnet)]);
  const signed = await whenFunded(() =>
    rpcCall(paymaster.rpcUrl, 'pm_getFeeQuoteOrData', [toRpcUserOperation(built), sponsoredContext], signedSchema),
  );
  const outcome = await send(devnet, withPaymaster(built, signed), people);
  return `EntryPoint ${version}, sponsored: the gas tank of ${paymaster.name} paid ${formatEther(outcome.actualGasCost)} ETH, the user nothing (transaction ${outcome.transactionHash})`;
}

async function sendTokenPaid(
  devnet: Devnet,
  paymaster: DevPaymaster,
  parts: { owner: LocalAccount; bundler: LocalAccount; token: DevnetToken },
): Promise<string> {
  const { owner, bundler, token } = parts;
  const account = { version: paymaster.entryPointVersion, owner: owner.address };
  // The quote is asked for the operation as it will be, approval included, so that it covers the approval's gas.
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
  const max = BigInt(Math.ceil(quote.maxGasFee * 10 ** quote.decimal));
  const built = await buildUserOperation(devnet, account, [approval(max), incrementCall(devnet)]);
  const signed = await rpcCall(
    paymaster.rpcUrl,
    'pm_sponsorUserOperation',
    [toRpcUserOperation(built), { ...context, tokenInfo: { feeTokenAddress: token.address } }],
    signedSchema,
  );
  const before = await tokenBalance(devnet, token, built.sender);
  const outcome = await send(devnet, withPaymaster(built, signed), { owner, bundler });
  const paid = before - (await tokenBalance(devnet, token, built.sender));
  return `EntryPoint ${account.version}, in tokens: the user paid ${formatUnits(paid, token.decimals)} ${token.symbol} (at most ${formatUnits(max, token.decimals)} was quoted) for ${formatEther(outcome.actualGasCost)} ETH of gas (transaction ${outcome.transactionHash})`;
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

/** The operation with what the service answered in it. */
function withPaymaster(operation: DevUserOperation, signed: z.output<typeof signedSchema>): DevUserOperation {
  return { ...operation, ...signed, paymasterAndData: `0x${signed.paymasterAndData.slice(2)}` };
}

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
  await sendInOrder(devnet.client, from, [
    { description: `minting ${token.symbol}`, to: token.address, data, gas: 200_000n },
  ]);
}

function tokenBalance(devnet: Devnet, token: DevnetToken, owner: Address): Promise<bigint> {
  return devnet.client.readContract({
    address: token.address,
    abi: devTokenAbi,
    functionName: 'balanceOf',
    args: [owner],
  });
}
