import {
  type Address,
  type Client,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBigInt,
  maxUint256,
  numberToHex,
  parseAbi,
} from 'viem';
import { call, getChainId, getEip712Domain, readContract } from 'viem/actions';
import { getAction } from 'viem/utils';
import type { TokenPermit } from '../sponsor/sponsorship-context.ts';
import type { EncodedCall } from './estimate-token-cost.ts';

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

/** Who lets whom take which token. */
export type AllowanceParties = { readonly token: Address; readonly owner: Address; readonly spender: Address };

/** An allowance as it stands on chain. */
export type TokenAllowance = AllowanceParties & {
  /** Base units of the token. */
  readonly amount: bigint;
  /** The token replaces no allowance but 0: it has to be set to 0 first. */
  readonly needsReset: boolean;
};

/**
 * Reads an allowance and, where there is one, asks the token whether it may be replaced, by calling `approve` without
 * sending it. Some tokens (USDT on Ethereum) revert, so that no one can spend both the old and the new one.
 */
export async function readTokenAllowance(client: Client, parties: AllowanceParties): Promise<TokenAllowance> {
  const { token, owner, spender } = parties;
  const amount = await readContract(client, {
    address: token,
    abi: erc20Abi,
    functionName: 'allowance',
    args: [owner, spender],
  });
  return { ...parties, amount, needsReset: amount > 0n && !(await takesApproval(client, parties)) };
}

/** Calls that make the allowance `amount`: none when it is as high already. */
export function approvalCalls(allowance: TokenAllowance, amount: bigint): readonly EncodedCall[] {
  if (allowance.amount >= amount) return [];
  const approve = approveCall(allowance, amount);
  return allowance.needsReset ? [approveCall(allowance, 0n), approve] : [approve];
}

function approveCall({ token, spender }: AllowanceParties, amount: bigint): EncodedCall {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] });
  return { to: token, data, value: 0n };
}

/**
 * No answer counts as true: not every token answers `approve`. Any failure counts as false, since nodes report reverts
 * in many ways: a needless approval of 0 only costs gas.
 */
async function takesApproval(client: Client, parties: AllowanceParties): Promise<boolean> {
  const { to, data } = approveCall(parties, maxUint256);
  try {
    const { data: answer = '0x' } = await call(client, { account: parties.owner, to, data });
    return answer === '0x' || hexToBigInt(answer) !== 0n;
  } catch {
    return false;
  }
}
