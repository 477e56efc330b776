import { type Hex, hexToBigInt, numberToHex, size, slice } from 'viem';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { explainNodeError } from '../../node/node-error.ts';
import { readRpcAnswer } from '../../node/rpc/rpc-answer.ts';
import { type GasSchedule, gasSchedules } from './gas-schedule.ts';

/**
 * Init code that measures what a fork charges and knows: GAS, SSTORE of 1 to slot 1, GAS; then CREATE of code that runs CLZ
 * (0x1e), which fails where that is no instruction. It returns the gas between the first two and whether CREATE succeeded.
 */
const probe: Hex = ('0x5a60016001555a9003600052' +
  '6360001e00602052' +
  '6004603c6000f01515602052' +
  '60406000f3') as Hex;
/** Of the two pushes and the second GAS, which are measured too. */
const measuredBesides = 8n;
/** Ample: creation that fails burns all but a 64th. Below every cap of a transaction. */
const probeGas = 4_000_000n;

/** What a chain charges; `measuredSlot` is what a new slot costs on it where no known fork has that. */
type FoundSchedule = { readonly schedule: GasSchedule; readonly measuredSlot?: bigint };

/** How nodes say that code fails, as it does on a chain that creates contracts in a way of its own. */
const failsToRun = /revert|opcode|instruction|out of gas|gas required|create|invalid code|not supported/i;

const foundOf = new WeakMap<ChainClient, FoundSchedule>();

/** What is known of a chain by now; of one that was not read yet, Prague. */
export function gasScheduleOf(client: ChainClient): GasSchedule {
  return foundOf.get(client)?.schedule ?? gasSchedules.prague;
}

/**
 * Finds out which fork's gas a chain charges, by a small `eth_call` that measures it. It is known from then on; a failure
 * leaves what was known before. A chain on which the code fails, or whose prices are of no known fork, counts like Prague, which
 * allows the least. Refuses with `CHAIN_UNAVAILABLE` when the node does not tell.
 */
export async function readGasSchedule(client: ChainClient): Promise<Result<FoundSchedule>> {
  let found: FoundSchedule;
  try {
    const answer = await client.request({
      method: 'eth_call',
      params: [{ data: probe, gas: numberToHex(probeGas) }, 'latest'],
    });
    found = recognise(answer);
  } catch (error) {
    if (!failsToRun.test(readRpcAnswer(error)?.details ?? '')) return refuse(explainNodeError(error));
    found = { schedule: gasSchedules.prague };
  }
  foundOf.set(client, found);
  return accept(found);
}

function recognise(answer: Hex): FoundSchedule {
  if (size(answer) !== 64) return { schedule: gasSchedules.prague };
  const newSlot = hexToBigInt(slice(answer, 0, 32)) - measuredBesides;
  const knowsClz = hexToBigInt(slice(answer, 32, 64)) === 1n;
  if (newSlot === gasSchedules.glamsterdam.newSlot) return { schedule: gasSchedules.glamsterdam };
  const schedule = knowsClz ? gasSchedules.osaka : gasSchedules.prague;
  if (newSlot === schedule.newSlot) return { schedule };
  // Less gas is right for a simulation whatever the fork is.
  const { simulationCap } = gasSchedules.glamsterdam;
  return { schedule: { ...schedule, simulationCap }, measuredSlot: newSlot };
}
