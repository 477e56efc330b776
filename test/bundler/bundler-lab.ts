import { type Address, getAddress, type Hex, isHex } from 'viem';
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { z } from 'zod';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import { type Devnet, devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { startDevnet } from '../../server/dev/devnet/start-devnet.ts';
import { leasedSignerKey } from '../support/chain/lease-devnet.ts';
import { deployTollfree } from '../support/paymaster-contracts/tollfree-lab.ts';
import { forward, type RpcServer, respond, startRpcServer } from '../support/servers/json-rpc-server.ts';
import { startFundedService } from '../support/service/funded-service.ts';
import { type Alto, startAlto } from './start-alto.ts';

/** A chain with alto on it, a service with a funded paymaster for every EntryPoint, and code to delegate to. */
export type BundlerLab = {
  readonly devnet: Devnet;
  readonly bundler: Alto;
  readonly delegate: Address;
  /** Gas limits that the bundler answered the service, in order. */
  readonly estimates: readonly BundlerEstimate[];
  paymaster(version: EntryPointVersion): DevPaymaster;
  close(): Promise<void>;
};

/** Whether the service asks the bundler for gas limits too, and Tollfree's own paymaster contract for EntryPoint 0.8 if it is to pay there. */
export type BundlerLabOptions = {
  readonly estimates: 'own' | 'of the bundler too';
  readonly contractFor08?: 'tollfree-0.8';
};

export async function openBundlerLab({ estimates, contractFor08 }: BundlerLabOptions): Promise<BundlerLab> {
  const plain = await startDevnet({ port: 0, paymasterSigner: privateKeyToAddress(leasedSignerKey) });
  const devnet = contractFor08 === undefined ? plain : await withTollfree(plain, contractFor08);
  const delegate = devnet.simple7702Account;
  const bundler = await startAlto(devnet);
  const watched = await watchEstimates(bundler.url);
  const service = await startFundedService(devnet, (chain) => ({
    ...chain,
    ...(estimates === 'own' ? {} : { bundler: { urls: [watched.url], expose: 'NONE' as const, asksForLimits: true } }),
    paymasterContracts: chain.paymasterContracts.map((each) =>
      contractFor08 !== undefined && each.family === devnetFamilies['0.8'] ? { ...each, family: contractFor08 } : each,
    ),
  }));
  return {
    devnet,
    bundler,
    delegate: getAddress(delegate),
    estimates: watched.estimates,
    paymaster: service.paymaster,
    close: async () => {
      await service.close();
      await watched.close();
      await bundler.close();
      await devnet.close();
    },
  };
}

/** The chain with that contract instead of its own for EntryPoint 0.8. */
async function withTollfree(devnet: Devnet, name: 'tollfree-0.8'): Promise<Devnet> {
  const signer = privateKeyToAccount(leasedSignerKey);
  const { contract } = await deployTollfree({ devnet, signer, close: devnet.close }, name);
  const paymasterContracts = { ...devnet.paymasterContracts, [devnetFamilies['0.8']]: getAddress(contract.address) };
  return { ...devnet, paymasterContracts };
}

const quantity = z.custom<Hex>((value) => isHex(value)).transform((value) => BigInt(value));
const answerSchema = z.object({
  result: z.object({ callGasLimit: quantity, verificationGasLimit: quantity, preVerificationGas: quantity }),
});
type BundlerEstimate = z.output<typeof answerSchema>['result'];

/** Hands all requests on to a bundler, and keeps the gas limits that it answered. */
async function watchEstimates(
  bundlerUrl: string,
): Promise<RpcServer & { readonly estimates: readonly BundlerEstimate[] }> {
  const estimates: BundlerEstimate[] = [];
  const server = await startRpcServer(async (request, response) => {
    const answer = await forward(bundlerUrl, request);
    const estimate = answerSchema.safeParse(answer);
    if (request.method === 'eth_estimateUserOperationGas' && estimate.success) estimates.push(estimate.data.result);
    respond(response, answer);
  });
  return { ...server, estimates };
}
