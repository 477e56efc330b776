import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Address, concat, encodeAbiParameters, encodePacked, type Hex, keccak256, pad, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

/** An operation as clients send it. */
type SentOperation = Readonly<Record<string, Hex>> & { readonly sender: Address };

const account = privateKeyToAccount(generatePrivateKey());
const fields = ['address', 'uint256', 'bytes32', 'uint256', 'bytes32', 'bytes32', 'bytes32', 'bytes32'] as const;
const word = (value: Hex | undefined, size: 16 | 32) => pad(value ?? '0x0', { size });

/** Digest and signature of a verifying paymaster's data, with what viem has for each step. */
async function sign(
  [operation, , chainId]: readonly [SentOperation, Address, Hex],
  paymaster: Address,
): Promise<object> {
  const validUntil = Math.floor(Date.now() / 1_000) + 300;
  const unsigned = encodePacked(['uint8', 'uint48', 'uint48'], [1, validUntil, 1]);
  const limits = concat([toHex(100_000, { size: 16 }), toHex(0, { size: 16 })]);
  const inner = encodeAbiParameters(
    fields.map((type) => ({ type })),
    [
      operation.sender,
      BigInt(operation.nonce ?? 0),
      concat([word(operation.verificationGasLimit, 16), word(operation.callGasLimit, 16)]),
      BigInt(operation.preVerificationGas ?? 0),
      concat([word(operation.maxPriorityFeePerGas, 16), word(operation.maxFeePerGas, 16)]),
      keccak256('0x'),
      keccak256(operation.callData ?? '0x'),
      keccak256(concat([paymaster, limits, unsigned])),
    ],
  );
  const digest = keccak256(concat([keccak256(inner), word(chainId, 32)]));
  const signature = await account.signMessage({ message: { raw: digest } });
  return { paymaster, paymasterData: concat([unsigned, signature]) };
}

/**
 * The least that a paymaster service can be: node:http, JSON, viem, a key. It checks nothing, holds nothing, remembers nothing
 * and asks no one. Returns its address.
 */
export async function startBareSigner(paymaster: Address): Promise<string> {
  const server = createServer(async (request, response) => {
    const { id, params } = JSON.parse(await text(request)) as { id: unknown; params: Parameters<typeof sign>[0] };
    const result = await sign(params, paymaster);
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
