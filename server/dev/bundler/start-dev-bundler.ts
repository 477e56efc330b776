import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createJSONRPCErrorResponse, type JSONRPCRequest, JSONRPCServer } from 'json-rpc-2.0';
import pLimit from 'p-limit';
import { BaseError, numberToHex } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { z } from 'zod';
import type { ChainConfig } from '../../../core/domain/core-config.ts';
import { createNodeEstimator } from '../../../core/gas/create-node-estimator.ts';
import { readGasSchedule } from '../../../core/gas/gas-schedule.ts';
import { createEstimationContext } from '../../../core/gas/simulation/estimation-context.ts';
import { createChainClient } from '../../../core/node/chain-client.ts';
import { createBodiesUnderWay } from '../../../gateway/http/bodies-under-way.ts';
import { startHttpServer } from '../../../gateway/http/http-server.ts';
import { readJsonBody } from '../../../gateway/http/json-body.ts';
import { sendJsonText } from '../../../gateway/http/send-json.ts';
import type { Devnet } from '../devnet/devnet.ts';
import { estimateOperation, sendFreeOperation, sendOperation } from './answer-methods.ts';
import { describeOperation, describeReceipt, describeStatus } from './landed-operation.ts';
import { overridingClient } from './overriding-client.ts';
import { BundlerError, type DevBundlerParts } from './sent-operation.ts';

type BundlerMethod = (parts: DevBundlerParts, params: readonly unknown[]) => unknown;

/** The development bundler's methods: those of ERC-7769, and the fee methods of published clients. */
const bundlerMethods: Readonly<Record<string, BundlerMethod>> = {
  eth_chainId: ({ devnet }) => numberToHex(devnet.chainId),
  eth_supportedEntryPoints: ({ devnet }) => Object.values(devnet.entryPoints),
  eth_estimateUserOperationGas: estimateOperation,
  eth_sendUserOperation: sendOperation,
  boost_sendUserOperation: sendFreeOperation,
  eth_getUserOperationByHash: describeOperation,
  eth_getUserOperationReceipt: describeReceipt,
  pimlico_getUserOperationStatus: describeStatus,
  pimlico_getUserOperationGasPrice: readGasPrices,
  zd_getUserOperationGasPrice: readGasPrices,
  rundler_maxPriorityFeePerGas: readPriorityFee,
};

/** Largest body, in bytes, and its deepest nesting. */
const bodyBounds = {
  maxBytes: 2_000_000,
  maxDepth: 20,
  maxValues: 1_000_000,
  underWay: createBodiesUnderWay(100_000_000),
};

/** Pages of any origin may call it: it runs on the developer's machine and protects nothing. */
const openToBrowsers = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };
const preflight = {
  ...openToBrowsers,
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
};

const sentSchema = z.union([z.looseObject({}), z.array(z.looseObject({})).min(1)]);

/** JSON-RPC over HTTP: single requests and batches, at any path. */
function createBundlerListener(server: JSONRPCServer): RequestListener {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const send = (value: unknown) => sendJsonText(response, 200, JSON.stringify(value), openToBrowsers);
    const body = await readJsonBody(request, bodyBounds);
    if (body.kind === 'aborted') return;
    if (body.kind !== 'json') return send(createJSONRPCErrorResponse(null, -32_700, `The body is ${body.kind}`));
    const sent = sentSchema.safeParse(body.value);
    if (!sent.success) return send(createJSONRPCErrorResponse(null, -32_600, 'A request must be an object'));
    // The server validates each request itself.
    const answered = await server.receive(sent.data as unknown as JSONRPCRequest | JSONRPCRequest[]);
    if (answered === null) response.writeHead(204, openToBrowsers).end();
    else send(answered);
  };
  return (request, response) => {
    if (request.method === 'OPTIONS') response.writeHead(204, preflight).end();
    else if (request.method === 'POST') answer(request, response).catch(() => response.destroy());
    else response.writeHead(405, { ...openToBrowsers, allow: 'POST, OPTIONS' }).end();
  };
}

export type DevBundler = { readonly url: string; close(): Promise<void> };

/** Time for open requests at close, in milliseconds. */
const drainMs = 2_000;

/**
 * Starts a small bundler on loopback, for development only: it has no pool and no validation rules (ERC-7562), estimates by
 * simulation, and sends each operation at once in its own bundle. It keeps what it has sent in memory.
 */
export async function startDevBundler(options: {
  readonly devnet: Devnet;
  readonly config: ChainConfig;
  /** Sends the bundles and is paid for them; it needs coin. */
  readonly account: LocalAccount;
  /** 0 picks a free one. */
  readonly port: number;
  /** Called with the method of each request. */
  readonly onRequest?: (method: string) => void;
}): Promise<DevBundler> {
  const { devnet, config, account, port, onRequest } = options;
  const client = createChainClient(config);
  await readGasSchedule(client);
  const parts: DevBundlerParts = {
    devnet,
    config,
    client,
    account,
    estimatorFor: (overrides) =>
      createNodeEstimator(createEstimationContext(overridingClient(client, overrides), config)),
    inTurn: pLimit(1),
    landed: new Map(),
  };
  const server = new JSONRPCServer({ errorListener: () => undefined });
  server.mapErrorToJSONRPCErrorResponse = (id, error) => {
    const { code, message, data } = toBundlerError(error);
    return createJSONRPCErrorResponse(id, code, message, data);
  };
  for (const [name, perform] of Object.entries(bundlerMethods)) {
    server.addMethod(name, (params: unknown) => {
      onRequest?.(name);
      return perform(parts, Array.isArray(params) ? params : []);
    });
  }
  return startHttpServer(createBundlerListener(server), { host: '127.0.0.1', port, drainMs });
}

function toBundlerError(error: unknown): BundlerError {
  if (error instanceof BundlerError) return error;
  const message = error instanceof BaseError ? error.shortMessage : String(error);
  return new BundlerError(-32_603, `The development bundler failed: ${message}`);
}

/** The methods of permissionless and ZeroDev: three speeds, which are the same here. */
async function readGasPrices({ devnet }: DevBundlerParts): Promise<object> {
  const { maxFeePerGas, maxPriorityFeePerGas } = await devnet.client.estimateFeesPerGas();
  const price = {
    maxFeePerGas: numberToHex(2n * maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
  };
  return { slow: price, standard: price, fast: price };
}

/** The method of Alchemy's clients: wei per gas. */
async function readPriorityFee({ devnet }: DevBundlerParts): Promise<string> {
  return numberToHex(await devnet.client.estimateMaxPriorityFeePerGas());
}
