import { type Block, createBlock, paramsBlock } from '@ethereumjs/block';
import { createCustomCommon, Mainnet, type ParamsDict } from '@ethereumjs/common';
import { createEVM, type EVMMockBlockchainInterface, paramsEVM } from '@ethereumjs/evm';
import { paramsTx, type TxOptions } from '@ethereumjs/tx';
import { createVM, paramsVM, type VM } from '@ethereumjs/vm';
import { type Address, type Hex, hexToBytes, keccak256, numberToHex } from 'viem';
import { LoggedState } from './logged-state.ts';

/** Prices that differ from the fork's: by EIP, and by the names that EthereumJS has for them. */
export type OwnPrices = Readonly<ParamsDict>;

/** Where a block is, and what it charges. Wei per gas, Unix seconds. */
export type BlockPosition = {
  readonly number: bigint;
  readonly timestamp: bigint;
  readonly baseFeePerGas: bigint;
};

/** An EVM with the prices of Amsterdam, and its state. */
export type Machine = {
  readonly vm: VM;
  readonly state: LoggedState;
  /** For making transactions of this chain. */
  readonly txOptions: TxOptions;
  /** A block to run transactions in. */
  blockAt(position: BlockPosition, from: { readonly coinbase: Address; readonly gasLimit: bigint }): Block;
};

const emptyHash: Hex = `0x${'00'.repeat(32)}`;

/** Makes the EVM. `hashOf` gives the hash of a mined block. */
export async function createMachine(options: {
  readonly chainId: number;
  readonly prices: OwnPrices | undefined;
  readonly hashOf: (number: number) => Hex | undefined;
}): Promise<Machine> {
  const { chainId, prices = {}, hashOf } = options;
  // Each package brings its own table, and adds it to the shared one again whenever something is made.
  const table = withPrices(withPrices(paramsEVM, paramsVM), withPrices(withPrices(paramsTx, paramsBlock), prices));
  const common = createCustomCommon({ name: 'development', chainId }, Mainnet, { hardfork: 'amsterdam' });
  const state = new LoggedState();
  const blockchain: EVMMockBlockchainInterface = {
    getBlock: async (number) => ({ hash: () => hexToBytes(hashOf(number) ?? emptyHash) }),
    putBlock: async () => undefined,
    shallowCopy: () => blockchain,
  };
  const evm = await createEVM({ common, stateManager: state, blockchain, params: table });
  const vm = await createVM({ common, stateManager: state, evm, blockchain, params: table });
  return {
    vm,
    state,
    txOptions: { common, params: table, freeze: false },
    blockAt: (position, { coinbase, gasLimit }) =>
      createBlock(
        {
          header: {
            ...position,
            coinbase,
            gasLimit,
            // Different in each block, as contracts expect.
            mixHash: keccak256(numberToHex(position.number, { size: 32 })),
            difficulty: 0n,
            excessBlobGas: 0n,
            blobGasUsed: 0n,
            parentBeaconBlockRoot: emptyHash,
          },
        },
        { common, params: table, skipConsensusFormatValidation: true },
      ),
  };
}

function withPrices(table: OwnPrices, over: OwnPrices): ParamsDict {
  const eips = new Set([...Object.keys(table), ...Object.keys(over)]);
  return Object.fromEntries([...eips].map((eip) => [eip, { ...table[eip], ...over[eip] }]));
}
