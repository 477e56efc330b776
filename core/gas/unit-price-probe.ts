import { type Address, type Hex, hexToBigInt, size, slice } from 'viem';
import type { UnitPrices } from '../domain/unit-prices.ts';

/** The address that gets the probe's code during the call. */
export const unitPriceProbeAddress: Address = '0x7011F7eE00000000000000000000000000000004';
/** An account that exists during the call. */
const existing: Address = '0x7011F7ee00000000000000000000000000000005';
/** An account that never exists. */
const fresh: Address = '0x7011f7EE00000000000000000000000000000006';

/** Gas of the call. Ample, and below every transaction cap: the dearest known prices take 1.3 million, and a failed creation burns all but a 64th. */
export const unitPriceProbeGas = 4_000_000n;

const twoDigits = (value: number) => value.toString(16).padStart(2, '0');
const fourDigits = (value: number) => value.toString(16).padStart(4, '0');

/** Moves the top of the stack to a word of memory: PUSH1 MSTORE. */
const keep = (word: number) => `60${twoDigits(32 * word)}52`;
/** Keeps the gas of `steps`, which leave the stack as it was: GAS … GAS SWAP1 SUB. The second GAS is included. */
const measure = (word: number, steps: string) => `5a${steps}5a9003${keep(word)}`;
/** PUSH1 PUSH1 SSTORE. */
const write = (slot: number, value: number) => `60${twoDigits(value)}60${twoDigits(slot)}55`;
/** PUSH20 BALANCE POP. */
const touch = (account: Address) => `73${account.slice(2)}3150`;
/** A call with 1 wei and no gas but the stipend, which comes back: seven PUSH, CALL POP. */
const pay = (account: Address) => `6000600060006000600173${account.slice(2)}6000f150`;

/** Where the results end and the codes to create begin, in bytes of memory. */
const codesStart = 0x100;
/** Init code at a word of memory, right aligned: PUSH PUSH2 MSTORE. */
const place = (word: number, code: string) =>
  `${twoDigits(0x5f + code.length / 2)}${code}61${fourDigits(codesStart + 32 * word)}52`;
/** PUSH1 PUSH2 PUSH1 CREATE. */
const create = (word: number, bytes: number) =>
  `60${twoDigits(bytes)}61${fourDigits(codesStart + 32 * word + 32 - bytes)}6000f0`;

/** Bytes of code that a creation leaves in one of its two measurements. */
const codeBytes = 256;
/** PUSH2 PUSH1 RETURN: as many zero bytes. */
const leaves = (bytes: number) => `61${fourDigits(bytes)}6000f3`;
/** PUSH1 CLZ STOP, which fails where the instruction does not exist (EIP-7939). */
const countZeros = '60001e00';

/**
 * Code that measures a chain's prices. Each result is a word: a new slot, a changed one, a cold account, a call with value
 * to an existing account and to a new one, a creation that leaves no code and one that leaves some, and whether CLZ exists.
 * CLZ comes last, since its failure burns nearly all gas.
 */
const code: Hex = `0x${[
  measure(0, write(1, 1)),
  measure(1, write(2, 2)),
  measure(2, touch(fresh)),
  touch(existing),
  measure(3, pay(existing)),
  measure(4, pay(fresh)),
  place(0, leaves(0)),
  place(1, leaves(codeBytes)),
  measure(5, `${create(0, 6)}50`),
  measure(6, `${create(1, 6)}50`),
  place(2, countZeros),
  // ISZERO ISZERO: 1 for any address.
  `${create(2, 4)}1515${keep(7)}`,
  // PUSH2 PUSH1 RETURN
  `61${fourDigits(codesStart)}6000f3`,
].join('')}`;

/** The state in which the code runs: a slot that is not zero, and wei to send. */
export const unitPriceOverrides = {
  [unitPriceProbeAddress]: {
    code,
    balance: '0x64',
    stateDiff: { [`0x${'2'.padStart(64, '0')}`]: `0x${'1'.padStart(64, '0')}` },
  },
  [existing]: { balance: '0x1' },
} as const;

/** Gas of PUSH1 PUSH1 and GAS, of PUSH20 POP and GAS, of seven PUSH, POP and GAS: included in their measurements. */
const [besidesWrite, besidesTouch, besidesPay] = [8n, 7n, 25n] as const;
/** What a call with value lends the called account. */
const callStipend = 2_300n;

/** Measured prices, and whether the chain has CLZ. */
export type MeasuredUnits = { readonly prices: UnitPrices; readonly knowsClz: boolean };

/** Reads the code's answer. Undefined for anything that the code cannot have returned. */
export function readUnitPrices(answer: Hex): MeasuredUnits | undefined {
  if (size(answer) !== codesStart) return undefined;
  const word = (index: number) => hexToBigInt(slice(answer, 32 * index, 32 * index + 32));
  const callExisting = word(3);
  const prices: UnitPrices = {
    newSlot: word(0) - besidesWrite,
    changedSlot: word(1) - besidesWrite,
    coldAccount: word(2) - besidesTouch,
    valueCall: callExisting - besidesPay + callStipend,
    newAccount: word(4) - callExisting,
    codeByte: (word(6) - word(5)) / BigInt(codeBytes),
  };
  const isPossible = Object.values(prices).every((price) => price >= 0n && price <= unitPriceProbeGas);
  return isPossible ? { prices, knowsClz: word(7) === 1n } : undefined;
}
