import { type Address, concat, getCreate2Address, type Hex, isHex, numberToHex, size } from 'viem';
import { maxBigint } from '../../base/values/integers.ts';
import type { EntryPointVersion } from '../../domain/entry-point-version.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import { deploymentProxy, zeroSalt } from '../../evm/deployment-proxy.ts';
import { entryPointOf } from '../../evm/entry-point/entry-points.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { explainNodeError } from '../../node/node-error.ts';
import { repeatInQuestions } from '../../node/rpc/question-body.ts';
import { callGasProbeCode } from './call-gas-probe.generated.ts';

/**
 * Creation code that leaves exactly this code on chain. PUSH2 size, DUP1, PUSH1 12, PUSH1 0, CODECOPY, PUSH1 0,
 * RETURN, and the code from byte 12 on.
 */
export function creationCodeOf(code: Hex): Hex {
  return concat(['0x61', numberToHex(size(code), { size: 2 }), '0x80600c6000396000f3', code]);
}

const addresses = new Map<Hex, Address>();

/**
 * Where the code stands once anybody has deployed it through the proxy: everybody can tell, and no one can put other
 * code there.
 */
export function addressOnChain(code: Hex): Address {
  let address = addresses.get(code);
  if (address === undefined) {
    address = getCreate2Address({ from: deploymentProxy, salt: zeroSalt, bytecode: creationCodeOf(code) });
    addresses.set(code, address);
  }
  return address;
}

/** Code that runs that of another address as its own (ERC-1167). */
export function delegatingCode(to: Address): Hex {
  return concat(['0x363d3d373d3d3d363d73', to, '0x5af43d82803e903d91602b57fd5bf3']);
}

/** What a simulation puts on chain for its one call. */
export type SimulationCode = {
  /** `CallGasProbe`, for the place of the EntryPoint. */
  readonly probe: Hex;
  /** What simulates an operation, for where the probe looks for it. */
  readonly entryPoint: Hex;
  /** The same in full, where the two above only run what someone has deployed: for a node that does not have that. */
  readonly inFull?: SimulationCode;
  /**
   * Where that stands. The state override gives a sender the code that it has authorized, and there it would answer for
   * itself.
   */
  readonly standsAt?: readonly Address[];
};

/** Finds out with what the operations of an EntryPoint are simulated. */
export type FindSimulationCode = (entryPoint: Address, version: EntryPointVersion) => Promise<Result<SimulationCode>>;

/** What has been found out of each chain: whatever simulates on it with the same client shares that. */
const foundOf = new WeakMap<ChainClient, Map<Address, SimulationCode>>();

function foundWith(client: ChainClient): Map<Address, SimulationCode> {
  const found = foundOf.get(client) ?? new Map<Address, SimulationCode>();
  foundOf.set(client, found);
  return found;
}

/** What is known of an EntryPoint by now; what is not is read, and tried again by the next request where that fails. */
export function createFindSimulationCode(client: ChainClient, confirmations: number): FindSimulationCode {
  const found = foundWith(client);
  return async (entryPoint, version) => {
    const known = found.get(entryPoint);
    return known === undefined ? readSimulationCode(client, confirmations, { entryPoint, version }) : accept(known);
  };
}

/**
 * Reads the code of an EntryPoint, and whether what simulates is on chain already, `confirmations` blocks ago: then
 * 45 bytes that run it are sent instead of some 36,000. It is known from then on; a failure leaves what was known
 * before.
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

/** Nothing of it has to be on chain. `there` is the code of the EntryPoint. */
export function codeInFull(version: EntryPointVersion, there: Hex): SimulationCode {
  const code: SimulationCode = { probe: callGasProbeCode, entryPoint: entryPointOf(version).simulation.code ?? there };
  repeatInQuestions(code.probe);
  repeatInQuestions(code.entryPoint);
  return code;
}

/** The short form, where all of it is on chain. A node that does not tell is sent all of it. */
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
