import { createJSONRPCErrorResponse, JSONRPCServer } from 'json-rpc-2.0';
import pLimit from 'p-limit';
import { BaseError } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import type { ChainConfig } from '../../../core/domain/core-config.ts';
import { createNodeEstimator } from '../../../core/gas/create-node-estimator.ts';
import { createEstimationContext } from '../../../core/gas/simulation/estimation-context.ts';
import { createChainClient } from '../../../core/node/chain-client.ts';
import { startHttpServer } from '../../../gateway/http/http-server.ts';
import type { Devnet } from '../devnet/devnet.ts';
import { BundlerError } from './bundler-error.ts';
import { createBundlerListener } from './bundler-listener.ts';
import { bundlerMethods } from './bundler-methods.ts';
import type { DevBundlerParts } from './dev-bundler-parts.ts';

export type DevBundler = { readonly url: string; close(): Promise<void> };

/** Open requests get this long at close, in milliseconds. */
const drainMs = 2_000;

/**
 * Starts a small bundler on loopback, for development only: it has no pool and no rules for validation (ERC-7562), estimates
 * by simulation, and sends each operation at once in a bundle of its own. It remembers what it has sent until it is closed.
 */
export async function startDevBundler(options: {
  readonly devnet: Devnet;
  readonly config: ChainConfig;
  /** Sends the bundles and is paid for them; it needs coin. */
  readonly account: LocalAccount;
  /** 0 takes any free one. */
  readonly port: number;
  /** Told the method of each request. */
  readonly onRequest?: (method: string) => void;
}): Promise<DevBundler> {
  const { devnet, config, account, port, onRequest } = options;
  const parts: DevBundlerParts = {
    devnet,
    config,
    account,
    estimator: createNodeEstimator(createEstimationContext(createChainClient(config), config)),
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
