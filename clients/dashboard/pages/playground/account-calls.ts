import { type Address, concatHex, encodeFunctionData, encodePacked, type Hex, parseAbi } from 'viem';

type AccountCall = { readonly to: Address; readonly value: bigint; readonly data: Hex };

/** Account kinds by their call format: `execute(address,uint256,bytes)`, `execute(bytes32,bytes)` or `executeUserOp`. */
export const accountKinds = [
  { value: 'simple', text: 'SimpleAccount, Coinbase, Light Account' },
  { value: 'erc7579', text: 'ERC-7579, such as Kernel and Nexus' },
  { value: 'safe', text: 'Safe' },
] as const;
export type AccountKind = (typeof accountKinds)[number]['value'];

const execute = parseAbi(['function execute(address dest, uint256 value, bytes data)']);
const execute7579 = parseAbi(['function execute(bytes32 mode, bytes executionCalldata)']);
const executeSafe = parseAbi(['function executeUserOp(address to, uint256 value, bytes data, uint8 operation)']);

/** Call data of an operation that makes one call. */
export function encodeAccountCall(kind: AccountKind, { to, value, data }: AccountCall): Hex {
  switch (kind) {
    case 'simple':
      return encodeFunctionData({ abi: execute, args: [to, value, data] });
    case 'erc7579': {
      const one = concatHex([encodePacked(['address', 'uint256'], [to, value]), data]);
      return encodeFunctionData({ abi: execute7579, args: [`0x${'0'.repeat(64)}`, one] });
    }
    case 'safe':
      return encodeFunctionData({ abi: executeSafe, args: [to, value, data, 0] });
  }
}
