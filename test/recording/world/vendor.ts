import { type Address, concat, getAddress, type Hex, numberToHex } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import type { UserOperationWithGas } from '../../../core/domain/user-operation.ts';
import { paymasterContractFamilies } from '../../../core/evm/paymaster-contracts/families.ts';
import type { SignedTerms } from '../../../core/evm/paymaster-contracts/family/family.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { devnetFamilies } from '../../../server/dev/devnet/devnet.ts';
import {
  type RpcRequest,
  type RpcServer,
  respond,
  respondError,
  respondResult,
  startRpcServer,
} from '../../support/servers/json-rpc-server.ts';
import type { HandClock } from './hand-clock.ts';

/** How the other paymaster answers. `signed-stubs`: its stubs are signed already, in a layout that is known, or `odd` one that is not. */
export const vendorBehaviours = [
  'honest',
  'signed-stubs',
  'final-stubs',
  'odd-stubs',
  'refuses',
  'refuses-data',
  'fails',
  'foreign',
  'costly',
  'longer',
] as const;
export type VendorBehaviour = (typeof vendorBehaviours)[number];

/** Another paymaster (ERC-7677) for EntryPoint 0.7, with a contract and a key of its own. */
export type Vendor = {
  readonly url: string;
  readonly paymaster: Address;
  readonly asked: RpcServer['requests'];
  behave(behaviour: VendorBehaviour): void;
  close(): Promise<void>;
};

const validationGas = 60_000n;

/** @param parts the vendor's key, and the address of the contract that trusts it. */
export async function startVendor(
  devnet: Devnet,
  parts: {
    readonly signer: LocalAccount;
    readonly fundingWallet: Address;
    readonly clock: HandClock;
    readonly address: Address;
  },
): Promise<Vendor> {
  const { signer, fundingWallet, clock, address } = parts;
  const version = '0.7';
  const name = devnetFamilies[version];
  const family = paymasterContractFamilies.get(name);
  if (family === undefined) throw new Error(`There is no family ${name}.`);
  const location = { chainId: devnet.chainId, address, entryPoint: devnet.entryPoints[version] };
  let behaviour: VendorBehaviour = 'honest';

  async function sign({ params }: RpcRequest): Promise<Hex> {
    const operation = readSent(params[0] as Sent);
    const times = { validAfter: clock.seconds() - 60, validUntil: clock.seconds() + 600 };
    const signedTerms: SignedTerms = { mode: 'SPONSORED', ...times, fundingWallet, priceMarkup: 1_000_000 };
    const { unsigned, digest } = family?.prepare(location, operation, signedTerms) ?? { unsigned: '0x', digest: '0x' };
    const signed = family?.assemble(unsigned, await signer.signMessage({ message: { raw: digest } })) ?? '0x';
    return `0x${signed.slice(2 + 2 * 52)}`;
  }

  const server = await startRpcServer(async (request, response) => {
    const isStub = request.method === 'pm_getPaymasterStubData';
    if (behaviour === 'fails') return respond(response, 'down', 503);
    if (behaviour === 'refuses' || (behaviour === 'refuses-data' && !isStub)) {
      return respondError(response, request, -32_500, 'no');
    }
    const signed = await sign(request);
    const result = {
      paymaster: behaviour === 'foreign' ? devnet.target.address : address,
      paymasterData: dataOf(behaviour, signed, isStub),
      paymasterVerificationGasLimit: numberToHex(behaviour === 'costly' && !isStub ? 199_999n : validationGas),
      paymasterPostOpGasLimit: numberToHex(behaviour === 'costly' ? 199_999n : 1n),
      ...(isStub && behaviour === 'final-stubs' ? { isFinal: true } : {}),
    };
    return respondResult(response, request, result);
  });
  return {
    url: server.url,
    paymaster: getAddress(address),
    asked: server.requests,
    behave: (next) => {
      behaviour = next;
    },
    close: server.close,
  };
}

const longTail: Hex = `0x${'ab'.repeat(64)}`;

function dataOf(behaviour: VendorBehaviour, signed: Hex, isStub: boolean): Hex {
  if (behaviour === 'odd-stubs' && isStub) return `0x${'7f'.repeat(97)}`;
  if (behaviour === 'longer' && !isStub) return concat([signed, longTail]);
  return signed;
}

/** An operation of EntryPoint 0.7 as a vendor receives it. */
type Sent = Readonly<Record<string, Hex>>;

function readSent(sent: Sent): UserOperationWithGas {
  const { sender = '0x', callData = '0x', factory, factoryData = '0x', signature = '0x' } = sent;
  const number = (name: string) => BigInt(sent[name] ?? 0);
  return {
    entryPointVersion: '0.7',
    sender,
    callData,
    signature,
    nonce: number('nonce'),
    initCode: factory === undefined ? '0x' : concat([factory, factoryData]),
    maxFeePerGas: number('maxFeePerGas'),
    maxPriorityFeePerGas: number('maxPriorityFeePerGas'),
    gas: {
      callGasLimit: number('callGasLimit'),
      verificationGasLimit: number('verificationGasLimit'),
      preVerificationGas: number('preVerificationGas'),
      paymasterVerificationGasLimit: validationGas,
      paymasterPostOpGasLimit: 1n,
    },
  };
}
