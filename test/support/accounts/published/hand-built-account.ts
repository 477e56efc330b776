import { getSenderAddress } from 'permissionless/actions';
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  type Hex,
  parseAbi,
  parseAbiParameters,
  zeroHash,
} from 'viem';
import {
  entryPoint06Abi,
  entryPoint07Abi,
  entryPoint08Abi,
  getUserOperationHash,
  type SmartAccount,
  toSmartAccount,
  type UserOperation,
} from 'viem/account-abstraction';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { Devnet } from '../../../../server/dev/devnet/devnet.ts';
import { chainClient } from '../../service/client-lab.ts';

type Version = '0.6' | '0.7' | '0.8';
export type AccountCall = { readonly to: Address; readonly value: bigint; readonly data: Hex };

/** What an account without a client that the tests can install does in its own way. */
export type HandBuilt = {
  readonly devnet: Devnet;
  readonly version: Version;
  readonly owner: PrivateKeyAccount;
  /** The factory's call that creates the account; absent for one that its owner is by EIP-7702. */
  readonly creation?: { readonly factory: Address; readonly factoryData: Hex };
  /** The contract that an EIP-7702 account runs. */
  readonly delegate?: Address;
  readonly nonceKey?: bigint;
  /** A signature of the form of the account's, for estimation. */
  readonly stubSignature: Hex;
  encodeCalls(calls: readonly AccountCall[]): Hex;
  sign(operation: { readonly hash: Hex; readonly sender: Address; readonly operation: UserOperation }): Promise<Hex>;
};

const nonceAbi = parseAbi(['function getNonce(address sender, uint192 key) view returns (uint256)']);
const abis = { '0.6': entryPoint06Abi, '0.7': entryPoint07Abi, '0.8': entryPoint08Abi } as const;

/** An account in the form that viem's clients take. */
export async function handBuiltAccount(parts: HandBuilt): Promise<SmartAccount> {
  const { devnet, version, owner, creation, delegate, nonceKey = 0n } = parts;
  const client = chainClient(devnet);
  const entryPointAddress = devnet.entryPoints[version];
  const sender =
    creation === undefined ? owner.address : await getSenderAddress(client, { entryPointAddress, ...creation });
  const account = await toSmartAccount({
    client,
    // Each version has its own type of operation; what is used here is the same in all.
    entryPoint: { abi: abis[version], address: entryPointAddress, version } as {
      abi: typeof entryPoint07Abi;
      address: Address;
      version: '0.7';
    },
    ...(delegate === undefined ? {} : { authorization: { account: owner, address: delegate } }),
    getNonce: () =>
      devnet.client.readContract({
        abi: nonceAbi,
        address: entryPointAddress,
        functionName: 'getNonce',
        args: [sender, nonceKey],
      }),
    getAddress: async () => sender,
    // EntryPoint 0.7 takes the marker of EIP-7702 for an address.
    getFactoryArgs: async () => creation ?? (version === '0.8' ? { factory: '0x7702', factoryData: '0x' } : {}),
    encodeCalls: async (calls) =>
      parts.encodeCalls(calls.map(({ to, value = 0n, data = '0x' }) => ({ to, value, data }))),
    getStubSignature: async () => parts.stubSignature,
    signMessage: ({ message }) => owner.signMessage({ message }),
    signTypedData: (typedData) => owner.signTypedData(typedData),
    async signUserOperation({ chainId = devnet.chainId, ...given }) {
      const operation: UserOperation = { ...given, sender } as UserOperation;
      const hash = getUserOperationHash({
        chainId,
        entryPointAddress,
        entryPointVersion: version,
        userOperation: operation as UserOperation<'0.7'>,
      });
      return parts.sign({ hash, sender, operation });
    },
  });
  return account as SmartAccount;
}

const tupleAbi = parseAbi([
  'function execute(address target, uint256 value, bytes data)',
  'struct Call { address target; uint256 value; bytes data; }',
  'function executeBatch(Call[] calls)',
]);

/** `execute`, or `executeBatch` of tuples, which most accounts have. */
export function encodeTupleCalls(calls: readonly AccountCall[]): Hex {
  const [only] = calls;
  if (only !== undefined && calls.length === 1) {
    return encodeFunctionData({ abi: tupleAbi, functionName: 'execute', args: [only.to, only.value, only.data] });
  }
  const batch = calls.map(({ to, value, data }) => ({ target: to, value, data }));
  return encodeFunctionData({ abi: tupleAbi, functionName: 'executeBatch', args: [batch] });
}

const erc7579Abi = parseAbi(['function execute(bytes32 mode, bytes executionCalldata)']);
const batchMode: Hex = `0x01${'00'.repeat(31)}`;

/** Calls of an account of ERC-7579: one as it is, several as a batch. */
export function encodeErc7579Calls(calls: readonly AccountCall[]): Hex {
  const [only] = calls;
  if (only !== undefined && calls.length === 1) {
    const single = encodePacked(['address', 'uint256', 'bytes'], [only.to, only.value, only.data]);
    return encodeFunctionData({ abi: erc7579Abi, functionName: 'execute', args: [zeroHash, single] });
  }
  const tuples = parseAbiParameters('(address to, uint256 value, bytes data)[]');
  const batch = encodeAbiParameters(tuples, [calls]);
  return encodeFunctionData({ abi: erc7579Abi, functionName: 'execute', args: [batchMode, batch] });
}
