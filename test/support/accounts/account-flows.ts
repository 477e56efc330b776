import { encodeFunctionData, type Hex, http, isHex, maxUint256, slice } from 'viem';
import {
  createBundlerClient,
  createPaymasterClient,
  formatUserOperationRequest,
  type UserOperation,
} from 'viem/account-abstraction';
import { privateKeyToAddress } from 'viem/accounts';
import { z } from 'zod';
import { delegateOf } from '../../../core/evm/entry-point/eip7702.ts';
import { sponsoredContext } from '../../../server/dev/demo-operations.ts';
import { devTokenAbi } from '../../../server/dev/devnet/contracts.generated.ts';
import type { DevnetToken } from '../../../server/dev/devnet/devnet.ts';
import { rpcCall } from '../../../server/dev/rpc-call.ts';
import { approveCall, mint, setTokenBalance, targetCall, tokenBalance, tokenWith } from '../chain/chain-lab.ts';
import { type ClientLab, chainClient } from '../service/client-lab.ts';
import { freshKey } from '../service/running-service.ts';
import { altoMargins, estimatingWith } from './bundler-margins.ts';
import type { MatrixAccount, OpenedAccount } from './matrix-accounts.ts';

/**
 * How an operation gets its limits: the client asks a bundler that adds what alto adds, and has them signed
 * (ERC-7677); the service estimates them; the client asks as in the first case, and the user pays in a token.
 */
export type FlowMode = 'given' | 'estimated' | 'token';

/** What an operation of an account writes for the first time. The first flow also creates the account. */
export type Flow = 'creation' | 'second operation' | 'new nonce key' | 'new recipient' | 'empty token recipient';
export const flowsOf: Readonly<Record<FlowMode, readonly Flow[]>> = {
  given: ['creation', 'second operation', 'new nonce key', 'new recipient'],
  estimated: ['creation', 'second operation', 'new nonce key', 'new recipient'],
  token: ['creation', 'second operation', 'new nonce key', 'new recipient', 'empty token recipient'],
};

/** How an operation ended: landed with this gas, or refused with this sentence. */
export type FlowOutcome =
  | { readonly flow: Flow; readonly gas: bigint }
  | { readonly flow: Flow; readonly refused: string };

const gas = z.union([z.string(), z.int()]).transform((value) => BigInt(value));
const signedSchema = z.object({
  paymasterAndData: z.custom<Hex>((value) => isHex(value)),
  preVerificationGas: gas,
  verificationGasLimit: gas,
  callGasLimit: gas,
});

const plain = { retryCount: 0 };

/** Sends an operation of each flow, one after the other, from a new account of the kind. */
export async function runFlows(
  lab: ClientLab,
  row: MatrixAccount,
  mode: FlowMode,
  flows: readonly Flow[],
): Promise<readonly FlowOutcome[]> {
  const opened = await row.open(lab.devnet);
  const token = tokenWith(lab.devnet, 6);
  await mint(lab.devnet, token, opened.account.address, 10_000n * 10n ** 6n);
  const outcomes: FlowOutcome[] = [];
  for (const flow of flows) outcomes.push(await runFlow(lab, { row, opened, mode, token }, flow));
  return outcomes;
}

type Parts = {
  readonly row: MatrixAccount;
  readonly opened: OpenedAccount;
  readonly mode: FlowMode;
  readonly token: DevnetToken;
};

async function runFlow(lab: ClientLab, { row, opened, mode, token }: Parts, flow: Flow): Promise<FlowOutcome> {
  const { devnet, bundler } = lab;
  const { account } = opened;
  const paymaster = lab.paymaster(row.version);
  const client = createBundlerClient({
    account,
    client: chainClient(devnet),
    transport: mode === 'estimated' ? http(bundler.url, plain) : estimatingWith(bundler.url, altoMargins(row.version)),
    pollingInterval: 20,
    ...(mode === 'estimated' ? {} : { paymaster: createPaymasterClient({ transport: http(paymaster.rpcUrl, plain) }) }),
    ...(mode === 'token' ? { paymasterContext: { token: token.address } } : {}),
  });
  if (flow === 'empty token recipient')
    await setTokenBalance(devnet, token, { owner: devnet.tokenRecipient, amount: 0n });
  const calls = [
    ...(mode === 'token' ? [approveCall(token, paymaster.address, maxUint256)] : []),
    flow === 'new recipient' ? transferCall(token) : targetCall(devnet, 'increment'),
  ];
  const isDelegated = delegateOf(await devnet.client.getCode({ address: account.address })) !== undefined;
  const authorization =
    opened.authorize === undefined || isDelegated ? {} : { authorization: await opened.authorize() };
  // permissionless takes a new key for each operation unless it is given a nonce.
  const nonce = await account.getNonce({ key: flow === 'new nonce key' ? BigInt(Date.now()) : 0n });
  try {
    const before = await tokenBalance(devnet, token, account.address);
    const hash =
      mode === 'estimated'
        ? await sendEstimated(client, paymaster.rpcUrl, { calls, nonce, ...authorization })
        : await client.sendUserOperation({ calls, nonce, ...authorization });
    const { success, actualGasUsed } = await client.waitForUserOperationReceipt({ hash });
    if (!success) return { flow, refused: 'It landed, and its calls failed.' };
    const paid = before - (await tokenBalance(devnet, token, account.address));
    if ((mode === 'token') !== paid > 1n) return { flow, refused: `It landed, and ${paid} of the token were paid.` };
    return { flow, gas: actualGasUsed };
  } catch (error) {
    const details = (error as { details?: unknown }).details;
    return { flow, refused: typeof details === 'string' ? details : String(error) };
  }
}

/** One base unit for an address that has none. */
function transferCall(token: DevnetToken) {
  const args = [privateKeyToAddress(freshKey()), 1n] as const;
  return { to: token.address, data: encodeFunctionData({ abi: devTokenAbi, functionName: 'transfer', args }) };
}

type Client = ReturnType<typeof createBundlerClient>;

/** Has the service estimate all limits, and sends the operation with its answer. */
async function sendEstimated(
  client: Client,
  paymasterUrl: string,
  wanted: { readonly calls: readonly object[]; readonly nonce: bigint },
): Promise<Hex> {
  const { account } = client;
  if (account === undefined) throw new Error('The client has no account.');
  const parameters = ['factory', 'fees', 'nonce', 'signature', 'authorization'] as const;
  const prepared = await client.prepareUserOperation({ account, ...wanted, parameters } as never);
  const draft = prepared as unknown as UserOperation;
  const answer = await rpcCall(
    paymasterUrl,
    'pm_sponsorUserOperation',
    [formatUserOperationRequest(draft), sponsoredContext],
    signedSchema,
  );
  const signed = { ...draft, ...limitsAndPaymaster(answer, account.entryPoint.version) } as UserOperation;
  const signature = await account.signUserOperation(signed);
  const request = formatUserOperationRequest({ ...signed, signature });
  return client.request({ method: 'eth_sendUserOperation', params: [request, account.entryPoint.address] } as never);
}

function limitsAndPaymaster(
  { paymasterAndData, callGasLimit, verificationGasLimit, preVerificationGas }: z.output<typeof signedSchema>,
  version: string,
): object {
  const limits = { callGasLimit, verificationGasLimit, preVerificationGas };
  const data = paymasterAndData;
  if (version === '0.6') return { ...limits, paymasterAndData: data };
  return {
    ...limits,
    paymaster: slice(data, 0, 20),
    paymasterVerificationGasLimit: BigInt(slice(data, 20, 36)),
    paymasterPostOpGasLimit: BigInt(slice(data, 36, 52)),
    paymasterData: slice(data, 52),
  };
}
