import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { concat, createPublicClient, type Hex, http, isAddressEqual, numberToHex } from 'viem';
import { z } from 'zod';
import type { Devnet } from '../../../clients/cli/dev/devnet/devnet.ts';
import type { DevUserOperation } from '../../../clients/cli/dev/user-operation/dev-user-operation.ts';
import {
  handleUserOperation,
  type OperationOutcome,
  OperationRefused,
} from '../../../clients/cli/dev/user-operation/entry-point.ts';
import type { ChainConfig } from '../../../core/domain/core-config.ts';
import { type EntryPointVersion, entryPointVersions } from '../../../core/domain/entry-point-version.ts';
import { eip7702Marker, shortEip7702Marker } from '../../../core/evm/entry-point/eip7702-init-code.ts';
import { createNodeEstimator } from '../../../core/gas/create-node-estimator.ts';
import { createEntryPointCode } from '../../../core/gas/simulation/entry-point-code.ts';
import { createChainClient } from '../../../core/node/chain-client.ts';
import { bundler as sender } from './chain-lab.ts';
import { handleDelegatingOperation } from './handle-delegating-operation.ts';
import { authorizationSchema, readDelegation, readSignedDelegation } from './sent-authorization.ts';

/** A small honest bundler on loopback: estimates by simulation, sends each operation in a bundle of its own. */
export type TestBundler = {
  readonly url: string;
  /** Methods it was asked for, in order. */
  readonly methods: readonly string[];
  close(): Promise<void>;
};

const hex = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-fA-F]*$/.test(value));
const quantity = hex.transform((value) => BigInt(value));
// Clients write `null` for what they do not know yet, as alto takes it.
const limit = quantity.nullish().transform((value) => value ?? 0n);
const bytes = hex.nullish().transform((value) => value ?? '0x');

const operationSchema = z.object({
  sender: hex,
  nonce: quantity,
  initCode: hex.optional(),
  factory: hex.optional(),
  factoryData: hex.default('0x'),
  callData: hex,
  callGasLimit: limit,
  verificationGasLimit: limit,
  preVerificationGas: limit,
  maxFeePerGas: quantity,
  maxPriorityFeePerGas: quantity,
  paymasterAndData: hex.default('0x'),
  paymaster: hex.nullish().transform((value) => value ?? undefined),
  paymasterVerificationGasLimit: limit,
  paymasterPostOpGasLimit: limit,
  paymasterData: bytes,
  signature: hex,
  eip7702Auth: authorizationSchema.optional(),
});
type SentOperation = z.output<typeof operationSchema>;

const requestSchema = z.object({ id: z.unknown(), method: z.string(), params: z.array(z.unknown()).default([]) });

/** What a bundler says of an operation it does not take (ERC-7769). */
class BundlerError extends Error {
  override readonly name = 'BundlerError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

type Landed = { readonly operation: SentOperation; readonly entryPoint: Hex; readonly outcome: OperationOutcome };
type Parts = { readonly devnet: Devnet; readonly config: ChainConfig; readonly landed: Map<Hex, Landed> };
type Method = (parts: Parts, params: readonly unknown[]) => unknown;

const methods: Readonly<Record<string, Method>> = {
  eth_chainId: ({ devnet }) => numberToHex(devnet.chainId),
  eth_supportedEntryPoints: ({ devnet }) => Object.values(devnet.entryPoints),
  eth_estimateUserOperationGas: estimate,
  eth_sendUserOperation: send,
  eth_getUserOperationByHash: ({ landed }, [hash]) => describe(landed.get(hash as Hex)),
  eth_getUserOperationReceipt: readReceipt,
  pimlico_getUserOperationGasPrice: readGasPrice,
};

export async function startTestBundler(devnet: Devnet, config: ChainConfig): Promise<TestBundler> {
  const parts: Parts = { devnet, config, landed: new Map() };
  const asked: string[] = [];
  const server = createServer(async (incoming, response) => {
    const { id, method, params } = requestSchema.parse(JSON.parse(await text(incoming)));
    asked.push(method);
    const answer = await answerRequest(parts, method, params);
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The bundler has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    methods: asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answerRequest(parts: Parts, method: string, params: readonly unknown[]): Promise<object> {
  const perform = methods[method];
  if (perform === undefined) return { error: { code: -32601, message: `${method} does not exist` } };
  try {
    return { result: await perform(parts, params) };
  } catch (error) {
    if (error instanceof BundlerError) return { error: { code: error.code, message: error.message } };
    if (error instanceof OperationRefused) return { error: { code: -32500, message: error.reason } };
    return { error: { code: -32603, message: String(error) } };
  }
}

async function estimate({ config, devnet }: Parts, [sent, entryPoint]: readonly unknown[]): Promise<object> {
  const operation = operationSchema.parse(sent);
  const version = versionOf(devnet, entryPoint);
  const client = createChainClient(config);
  const estimator = createNodeEstimator({
    client,
    chainId: config.chainId,
    entryPointCode: createEntryPointCode(client),
  });
  const limits = await estimator.estimate({
    operation: { ...toDevOperation(operation, version, config), ...(await readDelegation(devnet, operation)) },
    entryPoint: devnet.entryPoints[version],
    paymasterGas: operation,
    // What the client was given to estimate with is what is simulated.
    stub: ({ gas }) => packPaymaster({ ...operation, ...gas }, version),
    callGasAllowance: 0n,
  });
  if (!limits.ok) throw new BundlerError(-32500, limits.refusal.message);
  const { paymasterVerificationGasLimit, paymasterPostOpGasLimit, ...own } = limits.value.limits;
  const all = version === '0.6' ? own : { ...own, paymasterVerificationGasLimit, paymasterPostOpGasLimit };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, numberToHex(value)]));
}

async function send({ devnet, config, landed }: Parts, [sent, entryPoint]: readonly unknown[]): Promise<Hex> {
  const operation = operationSchema.parse(sent);
  const version = versionOf(devnet, entryPoint);
  const packed = toDevOperation(operation, version, config);
  const delegation = await readSignedDelegation(operation);
  const outcome =
    delegation === undefined
      ? await handleUserOperation(devnet, packed, sender)
      : await handleDelegatingOperation(devnet, packed, delegation, sender);
  landed.set(outcome.userOpHash, { operation, entryPoint: devnet.entryPoints[version], outcome });
  return outcome.userOpHash;
}

async function readReceipt({ devnet, landed }: Parts, [hash]: readonly unknown[]): Promise<object | null> {
  const found = landed.get(hash as Hex);
  if (found === undefined) return null;
  const { outcome, entryPoint, operation } = found;
  const node = createPublicClient({ transport: http(devnet.rpcUrl) });
  const receipt = await node.request({
    method: 'eth_getTransactionReceipt',
    params: [outcome.transactionHash],
  });
  return {
    userOpHash: hash,
    entryPoint,
    sender: operation.sender,
    nonce: numberToHex(operation.nonce),
    paymaster: outcome.paymaster,
    actualGasCost: numberToHex(outcome.actualGasCost),
    actualGasUsed: numberToHex(outcome.actualGasUsed),
    success: outcome.success,
    logs: receipt?.logs ?? [],
    receipt,
  };
}

function describe(found: Landed | undefined): object | null {
  if (found === undefined) return null;
  const { operation, entryPoint, outcome } = found;
  const userOperation = Object.fromEntries(
    Object.entries(operation).map(([name, value]) => [name, typeof value === 'bigint' ? numberToHex(value) : value]),
  );
  const { blockHash, blockNumber } = outcome.receipt;
  return {
    userOperation,
    entryPoint,
    transactionHash: outcome.transactionHash,
    blockHash,
    blockNumber: numberToHex(blockNumber),
  };
}

async function readGasPrice({ devnet }: Parts): Promise<object> {
  const { maxFeePerGas, maxPriorityFeePerGas } = await devnet.client.estimateFeesPerGas();
  const price = {
    maxFeePerGas: numberToHex(2n * maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
  };
  return { slow: price, standard: price, fast: price };
}

function versionOf(devnet: Devnet, entryPoint: unknown): EntryPointVersion {
  const address = hex.parse(entryPoint);
  const version = entryPointVersions.find((candidate) => isAddressEqual(devnet.entryPoints[candidate], address));
  if (version === undefined) throw new BundlerError(-32602, `EntryPoint ${address} is not supported`);
  return version;
}

/** Packs like alto: the marker in the bytes it was sent with, unless the chain's bundlers are to pad it. */
function toDevOperation(operation: SentOperation, version: EntryPointVersion, config: ChainConfig): DevUserOperation {
  const { sender: account, nonce, callData, maxFeePerGas, maxPriorityFeePerGas, signature } = operation;
  const { callGasLimit, verificationGasLimit, preVerificationGas } = operation;
  const pads = config.eip7702Marker === 'padded' && operation.factory === shortEip7702Marker;
  const factory = pads ? eip7702Marker : operation.factory;
  const created = factory === undefined ? '0x' : concat([factory, operation.factoryData]);
  return {
    entryPointVersion: version,
    sender: account,
    nonce,
    initCode: version === '0.6' ? (operation.initCode ?? '0x') : created,
    callData,
    callGasLimit,
    verificationGasLimit,
    preVerificationGas,
    maxFeePerGas,
    maxPriorityFeePerGas,
    paymasterAndData: packPaymaster(operation, version),
    signature,
  };
}

function packPaymaster(operation: SentOperation, version: EntryPointVersion): Hex {
  if (version === '0.6') return operation.paymasterAndData;
  if (operation.paymaster === undefined) return '0x';
  return concat([
    operation.paymaster,
    numberToHex(operation.paymasterVerificationGasLimit, { size: 16 }),
    numberToHex(operation.paymasterPostOpGasLimit, { size: 16 }),
    operation.paymasterData,
  ]);
}
