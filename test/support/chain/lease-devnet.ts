import type { Address, Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { inject } from 'vitest';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { startDevnet } from '../../../server/dev/devnet/start-devnet.ts';
import { deploySimulationCode } from './deploy-simulation-code.ts';
import { startNodeOfTests } from './fork-of-tests.ts';

/** Signer of the paymaster contracts that are on a worker's chain from the start. */
export const leasedSignerKey: Hex = `0x${'7e57'.repeat(16)}`;
const leasedSigner = privateKeyToAddress(leasedSignerKey);

/** Wei per gas of the first block of a lease; blocks before it have made it fall by different amounts. */
const baseFeePerGas = 100_000_000n;

let workersChain: Promise<Devnet> | undefined;
let isLeased = false;

/**
 * A development chain as `startDevnet` leaves it, at the time of this machine: the worker's own, which `close` puts back
 * to where it was, or a new one while the worker's is in use. Its node must not be stopped: for that, start one.
 */
export async function leaseDevnet(paymasterSigner: Address = leasedSigner): Promise<Devnet> {
  if (isLeased) return prepare(await startOwnDevnet(paymasterSigner));
  isLeased = true;
  workersChain ??= openWorkersChain();
  const devnet = await workersChain;
  const { client, rpcUrl: nodeUrl } = devnet;
  const snapshot = await client.snapshot();
  // A revert sets the node's clock back too, and forgets the base fee. The service goes by the time of the last block.
  await client.request({ method: 'evm_setTime' as never, params: [Math.floor(Date.now() / 1000)] as never });
  await client.setNextBlockBaseFeePerGas({ baseFeePerGas });
  await client.mine({ blocks: 1 });
  const leased = paymasterSigner === leasedSigner ? devnet : await startDevnet({ port: 0, nodeUrl, paymasterSigner });
  return {
    ...leased,
    async close() {
      await client.revert({ id: snapshot });
      isLeased = false;
    },
  };
}

/** A new development chain, with the prices of the run. */
export async function startOwnDevnet(paymasterSigner: Address = leasedSigner): Promise<Devnet> {
  const node = await startNodeOfTests();
  return { ...(await startDevnet({ port: 0, nodeUrl: node.rpcUrl, paymasterSigner })), ...node };
}

async function openWorkersChain(): Promise<Devnet> {
  const nodeUrl = inject('chains')[Number(process.env.VITEST_POOL_ID) - 1];
  if (nodeUrl === undefined) throw new Error(`There is no chain for worker ${process.env.VITEST_POOL_ID}.`);
  return prepare(await startDevnet({ port: 0, nodeUrl, paymasterSigner: leasedSigner }));
}

/** `SIMULATION_CODE=on-chain` has all simulations run code that is on chain; else all of it is sent with each. */
async function prepare(devnet: Devnet): Promise<Devnet> {
  if (process.env.SIMULATION_CODE === 'on-chain') await deploySimulationCode(devnet);
  return devnet;
}
