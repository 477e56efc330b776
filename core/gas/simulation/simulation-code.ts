import { type Address, concat, getCreate2Address, type Hex, isHex, numberToHex, size } from 'viem';
import { maxBigint } from '../../base/values/integers.ts';
import type { EntryPointVersion } from '../../domain/entry-point-version.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import { deploymentProxy, zeroSalt } from '../../evm/deployment-proxy.ts';
import { entryPointOf } from '../../evm/entry-point/entry-points.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { explainNodeError } from '../../node/node-error.ts';
import { repeatInQuestions } from '../../node/rpc/rpc-answer.ts';
import { callGasProbeCode } from './call-gas-probe.generated.ts';

/**
 * Creation code that deploys exactly this code: PUSH2 size, DUP1, PUSH1 12, PUSH1 0, CODECOPY, PUSH1 0, RETURN, and the code
 * from byte 12 on.
 */
export function creationCodeOf(code: Hex): Hex {
  return concat(['0x61', numberToHex(size(code), { size: 2 }), '0x80600c6000396000f3', code]);
}

const addresses = new Map<Hex, Address>();

/**
 * The address of the code once anyone has deployed it through the proxy. It follows from the code, so no other code can be
 * there.
 */
export function addressOnChain(code: Hex): Address {
  let address = addresses.get(code);
  if (address === undefined) {
    address = getCreate2Address({ from: deploymentProxy, salt: zeroSalt, bytecode: creationCodeOf(code) });
    addresses.set(code, address);
  }
  return address;
}

/** Code that delegates to the code of another address (ERC-1167). */
export function delegatingCode(to: Address): Hex {
  return concat(['0x363d3d373d3d3d363d73', to, '0x5af43d82803e903d91602b57fd5bf3']);
}

/** The code that a simulation adds to the chain for its one call. */
export type SimulationCode = {
  /** `CallGasProbe`, which replaces the EntryPoint. */
  readonly probe: Hex;
  /** The code that simulates an operation, at the address where the probe expects it. */
  readonly entryPoint: Hex;
  /** The full code, if the two above only delegate to deployed code: for a node that lacks it. */
  readonly inFull?: SimulationCode;
  /**
   * Addresses of the deployed code. A sender with one of these addresses would replace it by its authorized code, through
   * the state override.
   */
  readonly standsAt?: readonly Address[];
};

export type FindSimulationCode = (entryPoint: Address, version: EntryPointVersion) => Promise<Result<SimulationCode>>;

/** Known results per chain client, shared by all simulations with that client. */
const foundOf = new WeakMap<ChainClient, Map<Address, SimulationCode>>();

function foundWith(client: ChainClient): Map<Address, SimulationCode> {
  const found = foundOf.get(client) ?? new Map<Address, SimulationCode>();
  foundOf.set(client, found);
  return found;
}

/** The known simulation code of an EntryPoint; missing parts are read, and a failed read is retried by the next request. */
export function createFindSimulationCode(client: ChainClient, confirmations: number): FindSimulationCode {
  const found = foundWith(client);
  return async (entryPoint, version) => {
    const known = found.get(entryPoint);
    return known === undefined ? readSimulationCode(client, confirmations, { entryPoint, version }) : accept(known);
  };
}

/**
 * Reads the code of an EntryPoint, and whether the simulation code was on chain `confirmations` blocks ago. If so, 45 bytes
 * that delegate to it are sent instead of about 36,000. The result is kept; a failure keeps the previous one.
 */
export async function readSimulationCode(
  client: ChainClient,
  confirmations: number,
  { entryPoint, version }: { readonly entryPoint: Address; readonly version: EntryPointVersion },
): Promise<Result<SimulationCode>> {
  try {
    const there = await client.getCode({ address: entryPoint });
    if (!isHex(there)) {
      return refuse({
        reason: 'CHAIN_UNAVAILABLE',
        message: `There is no EntryPoint at ${entryPoint} on this chain.`,
      });
    }
    const code = await shorten(client, codeInFull(version, there), confirmations);
    foundWith(client).set(entryPoint, code);
    return accept(code);
  } catch (error) {
    return refuse(explainNodeError(error));
  }
}

/** The full code, which needs no deployment. `there` is the code of the EntryPoint. */
export function codeInFull(version: EntryPointVersion, there: Hex): SimulationCode {
  const code: SimulationCode = { probe: callGasProbeCode, entryPoint: entryPointOf(version).simulation.code ?? there };
  repeatInQuestions(code.probe);
  repeatInQuestions(code.entryPoint);
  return code;
}

/** The short form, if all of the code is on chain. Without an answer from the node, the full code is sent. */
async function shorten(client: ChainClient, inFull: SimulationCode, confirmations: number): Promise<SimulationCode> {
  const [probe, entryPoint] = [addressOnChain(inFull.probe), addressOnChain(inFull.entryPoint)];
  try {
    const head = await client.getBlockNumber();
    const blockNumber = maxBigint(head - BigInt(confirmations), 0n);
    const isThere = async (address: Address, code: Hex) => (await client.getCode({ address, blockNumber })) === code;
    const areThere = await Promise.all([isThere(probe, inFull.probe), isThere(entryPoint, inFull.entryPoint)]);
    if (areThere.includes(false)) return inFull;
  } catch {
    return inFull;
  }
  const short = { probe: delegatingCode(probe), entryPoint: delegatingCode(entryPoint) };
  return { ...short, inFull, standsAt: [probe, entryPoint] };
}
