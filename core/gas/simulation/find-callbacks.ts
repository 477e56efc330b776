import { type Address, getAbiItem, getAddress, type Hex, slice, toFunctionSelector } from 'viem';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import { createAbiDecoder } from '../../evm/abi/abi-decoder.ts';
import { createAbiEncoder } from '../../evm/abi/abi-encoder.ts';
import type { InnerCall } from '../../evm/account-decoders/decoder.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { explainNodeError } from '../../node/node-error.ts';
import { callbackProbeAbi, callbackProbeCode } from './callback-probe.generated.ts';
import { callSimulated, type StateOverrides } from './override-call.ts';

/**
 * Of one call: whether it ran code of the account's owner or at an address that it names, with gas to use. Undefined if that is not
 * known, because it or a call before it reverts.
 */
export type RunsCallersCode = boolean | undefined;

const watch = getAbiItem({ abi: callbackProbeAbi, name: 'watch' });
const watchSelector = toFunctionSelector(watch);
const encodeQuestion = createAbiEncoder(watch.inputs);
const decodeAnswer = createAbiDecoder(watch.outputs);

/** The address at which `CallbackProbe` keeps its mode. */
const modeAddress: Address = '0x7011f7eE00000000000000000000000000000004';
/** Most addresses in the arguments of an operation's calls that get code; each costs a question for its own code. */
const maxNamed = 4;
/** Smaller words are amounts and the like, or addresses of precompiled code, which no node tells of. */
const leastAddress = 2n ** 128n;
const wordDigits = 64;

/**
 * Makes an account's calls in one `eth_call`, with code at the account and at addresses in their arguments that have none, which
 * tells when it is entered, at any depth. Refuses if the node does not answer.
 */
export async function findCallbacks(
  client: ChainClient,
  account: Address,
  calls: readonly InnerCall[],
): Promise<Result<readonly RunsCallersCode[]>> {
  const named = await findWithoutCode(client, findNamed(account, calls));
  if (!named.ok) return named;
  const overrides: StateOverrides = Object.fromEntries(
    [modeAddress, ...named.value].map((address) => [address, { code: callbackProbeCode }]),
  );
  const answer = await callSimulated(client, {
    to: account,
    code: callbackProbeCode,
    data: `${watchSelector}${encodeQuestion([calls.map(({ target, value, data }) => ({ target, value, data }))])}`,
    overrides,
    decode: decodeAnswer,
  });
  if (!answer.ok) return answer;
  const [entered, succeeded] = answer.value;
  return accept(calls.map((_, index) => entered[index] === true || (index < Number(succeeded) ? false : undefined)));
}

/** The first addresses in the arguments of calls, as words of the ABI, without the account and what it calls. */
function findNamed(account: Address, calls: readonly InnerCall[]): readonly Address[] {
  const own = new Set([account, ...calls.map(({ target }) => target)].map((address) => address.toLowerCase()));
  const named = new Set<Hex>();
  for (const { data } of calls) {
    for (let at = 10; at + wordDigits <= data.length && named.size < maxNamed; at += wordDigits) {
      const word: Hex = `0x${data.slice(at, at + wordDigits)}`;
      if (BigInt(slice(word, 0, 12)) !== 0n || BigInt(word) < leastAddress) continue;
      const address = slice(word, 12);
      if (!own.has(address)) named.add(address);
    }
  }
  return [...named].map((address) => getAddress(address));
}

async function findWithoutCode(
  client: ChainClient,
  addresses: readonly Address[],
): Promise<Result<readonly Address[]>> {
  try {
    const codes = await Promise.all(addresses.map((address) => client.getCode({ address })));
    return accept(addresses.filter((_, index) => codes[index] === undefined));
  } catch (error) {
    return refuse(explainNodeError(error));
  }
}
