import { type Hex, hexToBigInt, numberToHex, size, slice } from 'viem';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { explainNodeError } from '../../node/node-error.ts';
import { readRpcAnswer } from '../../node/rpc/rpc-answer.ts';
import { type GasSchedule, gasSchedules } from './gas-schedule.ts';

/**
 * Init code that measures a fork's prices and instructions: GAS, SSTORE of 1 to slot 1, GAS; then CREATE of code that runs
 * CLZ (0x1e), which fails where the instruction does not exist. It returns the gas between the first two, and whether CREATE
 * succeeded.
 */
const probe: Hex = ('0x5a60016001555a9003600052' +
  '6360001e00602052' +
  '6004603c6000f01515602052' +
  '60406000f3') as Hex;
/** Gas of the two pushes and the second GAS, which are included in the measurement. */
const measuredBesides = 8n;
/** Ample: a failed creation burns all but a 64th. Below every transaction cap. */
const probeGas = 4_000_000n;

/** A chain's prices; `measuredSlot` is its cost of a new slot if no known fork has that cost. */
type FoundSchedule = { readonly schedule: GasSchedule; readonly measuredSlot?: bigint };

/** How nodes report that code fails. It does on a chain with its own contract creation. */
const failsToRun = /revert|opcode|instruction|out of gas|gas required|create|invalid code|not supported/i;

const foundOf = new WeakMap<ChainClient, FoundSchedule>();

/** The known schedule of a chain; Prague's if it was not read yet. */
export function gasScheduleOf(client: ChainClient): GasSchedule {
  return foundOf.get(client)?.schedule ?? gasSchedules.prague;
}

/**
 * Determines which fork's gas a chain charges, with a small `eth_call` that measures it. The result is kept; a failure keeps
 * the previous one. If the code fails, or the prices match no known fork, Prague is assumed, which allows the least. Refuses
 * with `CHAIN_UNAVAILABLE` when the node does not answer.
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
  // Less gas is correct for a simulation on every fork.
  const { simulationCap } = gasSchedules.glamsterdam;
  return { schedule: { ...schedule, simulationCap }, measuredSlot: newSlot };
}
