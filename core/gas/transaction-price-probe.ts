import { type Address, bytesToHex, concat, type Hex, hexToBigInt, numberToHex, size } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { ChainClient } from '../node/chain-client.ts';
import { isFailure } from '../node/rpc/rpc-answer.ts';

/** What a chain charges for a transaction outside of what it executes, in gas. */
export type TransactionPrices = {
  /** A transaction that calls a contract without value, before its data and execution. */
  readonly transaction: bigint;
  /** Each byte of its data. */
  readonly zeroByte: bigint;
  readonly otherByte: bigint;
  /** The minimum charge per byte, whatever the transaction executes (EIP-7623). */
  readonly floorZeroByte: bigint;
  readonly floorOtherByte: bigint;
  /** An EIP-7702 authorization: for an existing account, and for a nonexistent one (no balance, nonce or code). */
  readonly authorization: bigint;
  readonly freshAuthorization: bigint;
};

/** The address that gets the probe's code during the call. */
export const gasProbeAddress: Address = '0x7011F7eE00000000000000000000000000000007';
/** Ample for every call here, and below every cap of a transaction. */
const gas = 4_000_000n;
/** GAS PUSH1 MSTORE PUSH1 PUSH1 RETURN: answers the gas with which the execution starts. */
const code: Hex = '0x5a60005260206000f3';
const gasOfGas = 2n;

/** Zero bytes of the call that measures bytes, followed by another one. More than any byte costs, so that both can be told apart. */
const zeroBytes = 1_000;
/** A price above this is no price: the node does not report the gas of a call as a transaction has it. */
const maxPrice = 1_000_000n;

/** What a call costs before it executes; undefined where the node does not tell. */
async function startingCost(
  client: ChainClient,
  call: { readonly data?: Hex; readonly authorizationList?: readonly object[] },
  overrides: Readonly<Record<Address, object>> = {},
): Promise<bigint | undefined> {
  const sent = { to: gasProbeAddress, gas: numberToHex(gas), ...call };
  try {
    const params = [sent, 'latest', { [gasProbeAddress]: { code }, ...overrides }];
    const answer = await client.request({ method: 'eth_call', params } as never);
    if (size(answer) !== 32) return undefined;
    const cost = gas - hexToBigInt(answer) - gasOfGas;
    return cost > 0n && cost <= maxPrice ? cost : undefined;
  } catch (error) {
    // A node that answers with an error cannot do it; one that does not answer is the caller's affair.
    if (isFailure(error)) throw error;
    return undefined;
  }
}

/**
 * Measures the transaction and its data. Undefined where the node does not report the gas of a call as a transaction has it.
 * Throws if the node does not answer.
 */
export async function measureTransaction(
  client: ChainClient,
): Promise<Pick<TransactionPrices, 'transaction' | 'zeroByte' | 'otherByte'> | undefined> {
  const data = concat([bytesToHex(new Uint8Array(zeroBytes)), '0x01']);
  const [transaction, withData] = await Promise.all([startingCost(client, {}), startingCost(client, { data })]);
  if (transaction === undefined || withData === undefined || withData < transaction) return undefined;
  const ofData = withData - transaction;
  return { transaction, zeroByte: ofData / BigInt(zeroBytes), otherByte: ofData % BigInt(zeroBytes) };
}

/**
 * Measures an authorization of a new key, once with an account and once without. Undefined where the node takes no
 * authorizations in `eth_call`. Throws if the node does not answer.
 */
export async function measureAuthorizations(
  client: ChainClient,
  transaction: bigint,
): Promise<Pick<TransactionPrices, 'authorization' | 'freshAuthorization'> | undefined> {
  const authority = privateKeyToAccount(generatePrivateKey());
  const { address, r, s, yParity } = await authority.signAuthorization({
    address: gasProbeAddress,
    chainId: 0,
    nonce: 0,
  });
  const authorizationList = [{ address, chainId: '0x0', nonce: '0x0', r, s, yParity: numberToHex(yParity ?? 0) }];
  const [existing, fresh] = await Promise.all([
    startingCost(client, { authorizationList }, { [authority.address]: { balance: '0x1' } }),
    startingCost(client, { authorizationList }),
  ]);
  if (existing === undefined || fresh === undefined || existing <= transaction || fresh < existing) return undefined;
  return { authorization: existing - transaction, freshAuthorization: fresh - transaction };
}

/** Bytes of the transactions that measure the minimum charge. Their estimates are up to 1.5 % too high. */
const floorBytes = 4_096;

/**
 * Measures the minimum charge per byte, by the node's estimates of transactions that execute nothing. Undefined where it
 * estimates nothing. Throws if the node does not answer.
 */
export async function measureFloor(
  client: ChainClient,
  transaction: bigint,
): Promise<Pick<TransactionPrices, 'floorZeroByte' | 'floorOtherByte'> | undefined> {
  const [zero, other] = await Promise.all([0, 1].map((byte) => estimateFloor(client, transaction, byte)));
  return zero === undefined || other === undefined ? undefined : { floorZeroByte: zero, floorOtherByte: other };
}

async function estimateFloor(client: ChainClient, transaction: bigint, byte: number): Promise<bigint | undefined> {
  const data = bytesToHex(new Uint8Array(floorBytes).fill(byte));
  try {
    const estimate = await client.request({ method: 'eth_estimateGas', params: [{ to: gasProbeAddress, data }] });
    const price = (BigInt(estimate) - transaction) / BigInt(floorBytes);
    return price >= 0n && price <= maxPrice ? price : undefined;
  } catch (error) {
    if (isFailure(error)) throw error;
    return undefined;
  }
}
