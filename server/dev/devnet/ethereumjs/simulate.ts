import { createTx, type TypedTransaction } from '@ethereumjs/tx';
import { createAddressFromString, type PrefixedHexString } from '@ethereumjs/util';
import { type RunTxResult, runTx } from '@ethereumjs/vm';
import { type Address, bytesToHex, type Hex, hexToBytes, numberToHex, pad } from 'viem';
import { type Chain, ChainError, type MinedBlock, plainReason } from './chain.ts';

/** A call or an unsigned transaction, in the form of the RPC methods. */
export type SentCall = {
  readonly from?: Address;
  readonly to?: Address | null;
  readonly gas?: Hex;
  readonly nonce?: Hex;
  readonly value?: Hex;
  readonly data?: Hex;
  readonly input?: Hex;
  readonly gasPrice?: Hex;
  readonly maxFeePerGas?: Hex;
  readonly maxPriorityFeePerGas?: Hex;
  readonly accessList?: readonly { readonly address: Address; readonly storageKeys: readonly Hex[] }[] | null;
  readonly authorizationList?: readonly SentAuthorization[] | null;
};

type SentAuthorization = {
  readonly chainId: Hex;
  readonly address: Address;
  readonly nonce: Hex;
  readonly yParity: Hex;
  readonly r: Hex;
  readonly s: Hex;
};

type SentSlots = Readonly<Record<Hex, Hex>>;
/** The third parameter of `eth_call`. */
export type SentOverrides = Readonly<
  Record<
    Address,
    {
      readonly balance?: Hex;
      readonly nonce?: Hex;
      readonly code?: Hex;
      readonly state?: SentSlots;
      readonly stateDiff?: SentSlots;
    }
  >
>;

/** Makes a transaction that no key has signed. */
export function unsignedTransaction(
  { machine, chainId }: Chain,
  call: SentCall,
  fields: { readonly from: Address; readonly nonce: bigint; readonly gasLimit: bigint; readonly maxFeePerGas: bigint },
): TypedTransaction {
  const { nonce, gasLimit, maxFeePerGas } = fields;
  const isDelegating = (call.authorizationList ?? []).length > 0;
  const tx = createTx(
    {
      type: isDelegating ? 4 : 2,
      chainId: BigInt(chainId),
      nonce,
      gasLimit,
      maxFeePerGas,
      maxPriorityFeePerGas: BigInt(call.maxPriorityFeePerGas ?? call.gasPrice ?? 0),
      to: (call.to ?? undefined) as PrefixedHexString | undefined,
      value: BigInt(call.value ?? 0),
      data: call.data ?? call.input ?? '0x',
      accessList: (call.accessList ?? []) as never,
      ...(isDelegating ? { authorizationList: (call.authorizationList ?? []).map(minimal) as never } : {}),
    } as never,
    { ...machine.txOptions, allowUnlimitedInitCodeSize: true },
  ) as TypedTransaction;
  const sender = createAddressFromString(fields.from.toLowerCase());
  tx.getSenderAddress = () => sender;
  return tx;
}

/** EthereumJS takes numbers without leading zeros, and clients send signatures as words. */
function minimal({ chainId, nonce, yParity, r, s, address }: SentAuthorization) {
  const [chain, count, parity, ...signature] = [chainId, nonce, yParity, r, s].map((each) => numberToHex(BigInt(each)));
  return { address, chainId: chain, nonce: count, yParity: parity, r: signature[0], s: signature[1] };
}

/** Runs a call like a transaction of its own on a block's state, and undoes it. */
export async function simulate(
  chain: Chain,
  call: SentCall,
  { block, overrides }: { readonly block: MinedBlock; readonly overrides: SentOverrides | undefined },
): Promise<RunTxResult> {
  const { machine, settings, gasLimit } = chain;
  const { state } = machine;
  return state.at(state.position, async () => {
    await applyOverrides(chain, overrides ?? {});
    const from = call.from ?? '0x0000000000000000000000000000000000000000';
    const maxFeePerGas = BigInt(call.maxFeePerGas ?? call.gasPrice ?? 0);
    const gas = BigInt(call.gas ?? gasLimit);
    const sender = await state.getAccount(createAddressFromString(from.toLowerCase()));
    if (maxFeePerGas > 0n && (sender?.balance ?? 0n) < gas * maxFeePerGas + BigInt(call.value ?? 0)) {
      throw new ChainError('insufficient funds for gas * price + value');
    }
    // Without a price, a call costs nothing.
    const position = { ...block, baseFeePerGas: maxFeePerGas > 0n ? block.baseFeePerGas : 0n };
    const { number, timestamp, baseFeePerGas } = position;
    const within = machine.blockAt({ number, timestamp, baseFeePerGas }, { coinbase: settings.coinbase, gasLimit });
    try {
      const tx = unsignedTransaction(chain, call, { from, nonce: 0n, gasLimit: gas, maxFeePerGas });
      const hasCode = (await state.getCode(tx.getSenderAddress())).length > 0;
      state.allowSender(hasCode ? tx.getSenderAddress() : undefined);
      const skip = { skipNonce: true, skipBalance: true, skipBlockGasLimitValidation: true };
      return await runTx(machine.vm, { tx, block: within, ...skip });
    } catch (error) {
      throw new ChainError(plainReason(error));
    } finally {
      state.allowSender(undefined);
    }
  });
}

async function applyOverrides({ machine: { state } }: Chain, overrides: SentOverrides): Promise<void> {
  for (const [account, over] of Object.entries(overrides)) {
    const address = createAddressFromString(account.toLowerCase());
    if (over.balance !== undefined) await state.modifyAccountFields(address, { balance: BigInt(over.balance) });
    if (over.nonce !== undefined) await state.modifyAccountFields(address, { nonce: BigInt(over.nonce) });
    if (over.code !== undefined) await state.putCode(address, hexToBytes(over.code));
    if (over.state !== undefined) await state.clearStorage(address);
    for (const [slot, value] of Object.entries({ ...over.state, ...over.stateDiff })) {
      await state.putStorage(address, hexToBytes(pad(slot as Hex)), hexToBytes(value));
    }
  }
}

/** What a call returns. Throws the node's error of a call that reverts or runs out of gas. */
export function returnedBy({ execResult }: RunTxResult): Hex {
  const data = bytesToHex(execResult.returnValue);
  const failure = execResult.exceptionError?.error;
  if (failure === undefined) return data;
  if (failure === 'revert') throw new ChainError('execution reverted', { code: 3, data });
  throw new ChainError(String(failure));
}

/** What a call with value lends the called account, and the parts of its gas that a call passes on (EIP-150). */
const [callStipend, passedOn, ofAll] = [2_300n, 63n, 64n];
/** As geth's `eth_estimateGas`, which is up to 1.5 % above the least gas. */
const tolerance = 66n;

/** The gas with which a call works. Throws as {@link returnedBy} does. */
export async function estimateGas(
  chain: Chain,
  call: SentCall,
  at: { readonly block: MinedBlock; readonly overrides: SentOverrides | undefined },
): Promise<bigint> {
  const works = async (gas: bigint) => {
    try {
      const { execResult } = await simulate(chain, { ...call, gas: numberToHex(gas) }, at);
      return execResult.exceptionError === undefined;
    } catch {
      return false;
    }
  };
  let enough = BigInt(call.gas ?? chain.gasLimit);
  const { totalGasSpent, gasRefund, ...first } = await simulate(chain, { ...call, gas: numberToHex(enough) }, at);
  returnedBy({ totalGasSpent, gasRefund, ...first });
  let tooLittle = totalGasSpent - 1n;
  const guess = ((totalGasSpent + gasRefund + callStipend) * ofAll) / passedOn;
  if (guess < enough && (await works(guess))) enough = guess;
  while (enough - tooLittle > 1n && (enough - tooLittle) * tolerance > enough) {
    const middle = (enough + tooLittle) / 2n;
    if (await works(middle)) enough = middle;
    else tooLittle = middle;
  }
  return enough;
}
