import { type Address, type Client, type Hex, maxUint256, numberToHex, parseAbi } from 'viem';
import { getChainId, getEip712Domain, readContract } from 'viem/actions';
import { getAction } from 'viem/utils';
import type { TokenPermit } from '../sponsor/sponsorship-context.ts';
import type { AllowanceParties } from './token-allowance.ts';

const abi = parseAbi([
  'function nonces(address owner) view returns (uint256)',
  'function name() view returns (string)',
  'function version() view returns (string)',
]);

/** Typed data of a permit (EIP-2612). */
const types = {
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const;

/** What a wallet signs instead of an approval. */
export type PermitTypedData = {
  readonly domain: {
    readonly name: string;
    readonly version: string;
    readonly chainId: number;
    readonly verifyingContract: Address;
  };
  readonly types: typeof types;
  readonly primaryType: 'Permit';
  readonly message: {
    readonly owner: Address;
    readonly spender: Address;
    readonly value: bigint;
    readonly nonce: bigint;
    readonly deadline: bigint;
  };
};

export type TokenPermitParameters = AllowanceParties & {
  /** The most that the paymaster contract may take, in base units of the token. */
  readonly value: bigint;
  /** Unix seconds; no end when absent. Bundlers that keep to ERC-7562 take USDC's permits only without an end. */
  readonly deadline?: bigint | undefined;
};

/**
 * What the owner of the tokens signs so that the paymaster contract (`spender`) can take them without an approval. Reads the token's
 * nonce of the owner and its domain: as EIP-5267 has it, else `name` and `version`.
 *
 * @example
 * const typedData = await tokenPermitTypedData(chainClient, { token: usdc, owner, spender: quotes.paymasterAddress, value: maximum });
 * const permit = tokenPermit(typedData, await account.signTypedData(typedData));
 * const hash = await bundlerClient.sendUserOperation({ calls, paymasterContext: { token: usdc, permit } });
 */
export async function tokenPermitTypedData(
  client: Client,
  { token, owner, spender, value, deadline = maxUint256 }: TokenPermitParameters,
): Promise<PermitTypedData> {
  const [nonce, chainId, names] = await Promise.all([
    readContract(client, { address: token, abi, functionName: 'nonces', args: [owner] }),
    client.chain?.id ?? getAction(client, getChainId, 'getChainId')({}),
    readNames(client, token),
  ]);
  return {
    domain: { ...names, chainId, verifyingContract: token },
    types,
    primaryType: 'Permit',
    message: { owner, spender, value, nonce, deadline },
  };
}

/** The permit with its signature. */
export function tokenPermit({ message }: PermitTypedData, signature: Hex): TokenPermit {
  return { value: numberToHex(message.value), deadline: numberToHex(message.deadline), signature };
}

type Names = Pick<PermitTypedData['domain'], 'name' | 'version'>;

async function readNames(client: Client, token: Address): Promise<Names> {
  try {
    const { domain } = await getEip712Domain(client, { address: token });
    return { name: domain.name, version: domain.version };
  } catch {
    const [name, version] = await Promise.all([
      readContract(client, { address: token, abi, functionName: 'name' }),
      // Tokens without a version sign for the first one.
      readContract(client, { address: token, abi, functionName: 'version' }).catch(() => '1'),
    ]);
    return { name, version };
  }
}
